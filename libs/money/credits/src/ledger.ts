import type { CreditType } from '@heliograph/contracts';
import { newId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { ClientBase, Pool } from 'pg';
import { assertAmount, MAX_BALANCE } from './amounts';

export const LEDGER_KINDS = ['charge', 'refund', 'topup', 'transfer', 'adjustment'] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

export interface LedgerPosting {
  organizationId: string;
  workspaceId: string;
  creditType: CreditType;
  kind: LedgerKind;
  /** Credits; negative for debits. */
  amount: number;
  /** `<channel>:<id>` of the purpose. The same reference and kind move credits once. */
  reference: string;
  correlationId: string | null;
}

export interface PostingResult {
  outcome: 'posted' | 'repeated' | 'insufficient';
  /** The balance after the posting; for 'insufficient' the current balance. */
  balance: number;
}

/**
 * Posts entries to the ledger in the given order in one statement; entries without sufficient balance are skipped.
 * Pass the transaction of the purchase, so that both commit or neither. Throws VALIDATION_ERROR, and posts nothing,
 * for an invalid amount or a balance above the limit. A free message is a charge of 0.
 */
export async function post(database: ClientBase | Pool, postings: LedgerPosting[]): Promise<PostingResult[]> {
  if (postings.length === 0) return [];
  for (const { kind, amount } of postings) if (kind !== 'charge' || amount !== 0) assertAmount(amount);
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
  try {
    const { rows } = await database.query<PostingResult>(
      `SELECT outcome, balance FROM credits.post(
         (SELECT array_agg(e) FROM json_populate_recordset(NULL::credits.entry, $1) AS e)) ORDER BY ord`,
      [JSON.stringify(entries)],
    );
    return rows;
  } catch (error) {
    if (!isPastLimit(error)) throw error;
    throw new AppError('VALIDATION_ERROR', `amount: the balance must not exceed ${MAX_BALANCE} credits. Add fewer.`);
  }
}

function isPastLimit(error: unknown): boolean {
  return (error as { constraint?: unknown } | null)?.constraint === 'accounts_balance_limit_check';
}
