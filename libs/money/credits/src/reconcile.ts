import type { ClientBase, Pool } from 'pg';

export interface LedgerDifference {
  workspaceId: string;
  creditType: string;
  balance: number;
  ledgerSum: number;
}

/** An entry whose balance differs from the previous balance plus its amount. */
export interface BrokenEntry {
  workspaceId: string;
  creditType: string;
  entryId: string;
  reference: string;
  expectedBalance: number;
  balanceAfter: number;
}

/** Recomputes all balances from the ledger; returns the accounts that differ. */
export async function reconcile(database: ClientBase | Pool): Promise<LedgerDifference[]> {
  const { rows } = await database.query<LedgerDifference>(`
    SELECT workspace_id AS "workspaceId", credit_type AS "creditType",
           coalesce(a.balance, 0) AS balance, coalesce(l.sum, 0)::bigint AS "ledgerSum"
    FROM credits.accounts AS a
    FULL JOIN (SELECT workspace_id, credit_type, sum(amount) AS sum FROM credits.ledger GROUP BY 1, 2) AS l
    USING (workspace_id, credit_type)
    WHERE coalesce(a.balance, 0) <> coalesce(l.sum, 0)`);
  return rows;
}

/**
 * Verifies the balance of each entry against the previous entry of the account; returns the mismatches. Entries
 * without a positive position count only by their sum.
 */
export async function findBrokenEntries(database: ClientBase | Pool): Promise<BrokenEntry[]> {
  const { rows } = await database.query<BrokenEntry>(`
    SELECT workspace_id AS "workspaceId", credit_type AS "creditType", id AS "entryId", reference,
           expected::bigint AS "expectedBalance", balance_after AS "balanceAfter"
    FROM (
      SELECT *, amount + coalesce(
        lag(CASE WHEN position > 0 THEN balance_after END) OVER (account ORDER BY position),
        sum(amount) FILTER (WHERE position <= 0) OVER account, 0) AS expected
      FROM credits.ledger WINDOW account AS (PARTITION BY workspace_id, credit_type)
    ) AS followed
    WHERE position > 0 AND balance_after <> expected
    ORDER BY position`);
  return rows;
}
