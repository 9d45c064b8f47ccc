import { inOrder } from '@heliograph/database';
import type { Pool, PoolClient } from 'pg';
import { readConversationStates } from './conversation-state';
import type { AcceptanceResult, AcceptanceRow, AnswerResult, AnswerRow, InboundRow, StatusRow } from './rows';
import { termsOf, type SendTerms } from './send-policy';

/** The error of a message whose send got no answer. */
export const NO_ANSWER = 'The provider did not answer';

/** Decides on sends, and charges and stores the admitted ones in one commit; the results have the order of the rows. */
export async function acceptMessages(
  pool: Pool | PoolClient,
  rows: readonly AcceptanceRow[],
): Promise<AcceptanceResult[]> {
  const states = await readConversationStates(
    pool,
    rows.map(({ account_id: accountId, organization_id: organizationId, recipient: number }) => ({
      accountId,
      organizationId,
      number,
    })),
  );
  const admitted: (AcceptanceRow & SendTerms & { ord: number })[] = [];
  const refused: (AcceptanceResult & { ord: number })[] = [];
  for (const [ord, row] of rows.entries()) {
    const state = states[ord];
    if (!state) throw new Error('a conversation has no state');
    const terms = termsOf(row, state);
    if (typeof terms === 'string') refused.push({ ord, outcome: terms, balance: 0, is_free: false });
    else admitted.push({ ...row, ...terms, ord });
  }
  if (admitted.length === 0) return refused;
  const { rows: accepted } = await pool.query<AcceptanceResult & { ord: number }>({
    name: 'chatapp-accept',
    text: 'SELECT ord, outcome, balance::float8 AS balance, is_free FROM chatapp.accept($1)',
    values: [JSON.stringify(admitted)],
  });
  return inOrder(rows.length, [...refused, ...accepted]);
}

/** Stores the provider's answers and refunds refused sends; the results have the order of the rows. */
export async function recordAnswers(pool: Pool, rows: readonly AnswerRow[]): Promise<AnswerResult[]> {
  const { rows: results } = await pool.query<AnswerResult & { ord: number }>({
    name: 'chatapp-record-answers',
    text: 'SELECT ord, upstream_id FROM chatapp.record_answers($1)',
    values: [JSON.stringify(rows.map((row, ord) => ({ ...row, ord })))],
  });
  return inOrder(rows.length, results);
}

/** Moves outbound messages forward. A status of an unknown message is stored as unmatched. */
export async function recordStatuses(pool: Pool, rows: readonly StatusRow[]): Promise<void> {
  await pool.query({
    name: 'chatapp-record-statuses',
    text: 'SELECT chatapp.record_statuses($1)',
    values: [JSON.stringify(rows)],
  });
}

/** Stores inbound messages and their effects; returns the number of new messages. */
export async function recordInbound(pool: Pool, rows: readonly InboundRow[]): Promise<number> {
  const { rows: results } = await pool.query<{ fresh: number }>({
    name: 'chatapp-record-inbound',
    text: 'SELECT chatapp.record_inbound($1) AS fresh',
    values: [JSON.stringify(rows.map((row, ord) => ({ ...row, ord })))],
  });
  return results[0]?.fresh ?? 0;
}

/**
 * Marks sends as failed and refunds them when they have waited longer than `afterMs` for an answer; returns their
 * number.
 */
export async function settleOverdue(pool: Pool, afterMs: number, most: number): Promise<number> {
  const { rows } = await pool.query<{ settled: number }>('SELECT chatapp.settle_overdue($1, $2, $3) AS settled', [
    afterMs,
    most,
    NO_ANSWER,
  ]);
  return rows[0]?.settled ?? 0;
}

/** Records unmatched statuses whose message is known by now; returns their number. */
export async function matchUnmatchedStatuses(pool: Pool, most: number): Promise<number> {
  const { rows } = await pool.query<{ matched: number }>('SELECT chatapp.match_unmatched($1) AS matched', [most]);
  return rows[0]?.matched ?? 0;
}
