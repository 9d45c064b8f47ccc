import type { CreditType } from '@heliograph/contracts';
import { newId } from '@heliograph/database';
import type { ClientBase, Pool } from 'pg';
import type { LedgerKind } from './ledger-entry.entity';

export interface LedgerPosting {
  organizationId: string;
  workspaceId: string;
  creditType: CreditType;
  kind: LedgerKind;
  /** Credits; negative takes them. */
  amount: number;
  /** `<channel>:<id>` of what it is for. The same reference and kind move credits once. */
  reference: string;
  correlationId: string | null;
}

export interface PostingResult {
  outcome: 'posted' | 'repeated' | 'insufficient';
  /** The balance after it; for 'insufficient' the balance that did not suffice. */
  balance: number;
}

/**
 * Posts to the ledger: all that can be, in the given order, in one statement. Pass the transaction of what the
 * credits pay for, so that both are committed or neither.
 */
export async function post(database: ClientBase | Pool, postings: LedgerPosting[]): Promise<PostingResult[]> {
  if (postings.length === 0) return [];
  const entries = postings.map((posting, ord) => ({
    ord,
    id: newId(),
    organization_id: posting.organizationId,
    workspace_id: posting.workspaceId,
    credit_type: posting.creditType,
    kind: posting.kind,
    amount: posting.amount,
    reference: posting.reference,
    correlation_id: posting.correlationId,
  }));
  const { rows } = await database.query<PostingResult>(
    `SELECT outcome, balance FROM credits.post(
       (SELECT array_agg(e) FROM json_populate_recordset(NULL::credits.entry, $1) AS e)) ORDER BY ord`,
    [JSON.stringify(entries)],
  );
  return rows;
}

/** The balance of a workspace; 0 where nothing was ever granted. */
export async function balanceOf(
  database: ClientBase | Pool,
  workspaceId: string,
  creditType: CreditType,
): Promise<number> {
  const { rows } = await database.query<{ balance: number }>(
    'SELECT balance FROM credits.accounts WHERE workspace_id = $1 AND credit_type = $2',
    [workspaceId, creditType],
  );
  return rows[0]?.balance ?? 0;
}

export interface LedgerDifference {
  workspaceId: string;
  creditType: string;
  balance: number;
  ledgerSum: number;
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
