import type { ClientBase, Pool } from 'pg';

export interface LedgerDifference {
  workspaceId: string;
  creditType: string;
  balance: number;
  ledgerSum: number;
}

/** An entry whose balance is not that of the entry before plus its amount. */
export interface BrokenEntry {
  workspaceId: string;
  creditType: string;
  entryId: string;
  reference: string;
  expectedBalance: number;
  balanceAfter: number;
}

/** Recomputes every balance from the ledger; answers the accounts where the two disagree. */
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
 * Follows each account through its entries in the order of posting; answers those that do not follow from the one
 * before. Entries without a position of their own (not above 0) count by their sum alone.
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
