import type { Pool, PoolClient } from 'pg';
import type { AcceptanceResult, AcceptanceRow, AnswerResult, AnswerRow, InboundRow, StatusRow } from './rows';

/** Charges and stores sends in one commit; the results have the order of the rows. */
export async function acceptMessages(
  pool: Pool | PoolClient,
  rows: readonly AcceptanceRow[],
): Promise<AcceptanceResult[]> {
  const { rows: results } = await pool.query<AcceptanceResult & { ord: number }>({
    name: 'chatapp-accept',
    text: 'SELECT ord, outcome, balance::float8 AS balance, is_free FROM chatapp.accept($1)',
    values: [JSON.stringify(rows.map((row, ord) => ({ ...row, ord })))],
  });
  return inOrder(rows.length, results);
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
  const { rows } = await pool.query<{ settled: number }>('SELECT chatapp.settle_overdue($1, $2) AS settled', [
    afterMs,
    most,
  ]);
  return rows[0]?.settled ?? 0;
}

/** Records unmatched statuses whose message is known by now; returns their number. */
export async function matchUnmatchedStatuses(pool: Pool, most: number): Promise<number> {
  const { rows } = await pool.query<{ matched: number }>('SELECT chatapp.match_unmatched($1) AS matched', [most]);
  return rows[0]?.matched ?? 0;
}

function inOrder<R extends { ord: number }>(count: number, results: readonly R[]): R[] {
  const ordered = new Array<R>(count);
  for (const result of results) ordered[result.ord] = result;
  return ordered;
}
