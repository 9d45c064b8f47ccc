import type { Pool } from 'pg';
import type { AcceptanceResult, AcceptanceRow, AnswerResult, AnswerRow, InboundRow, StatusRow } from './rows';

/** Charges and stores sends, all in one commit; the results are in the order of the rows. */
export async function acceptMessages(pool: Pool, rows: readonly AcceptanceRow[]): Promise<AcceptanceResult[]> {
  const { rows: results } = await pool.query<AcceptanceResult & { ord: number }>({
    name: 'chatapp-accept',
    text: 'SELECT ord, outcome, balance::float8 AS balance, is_free FROM chatapp.accept($1)',
    values: [JSON.stringify(rows.map((row, ord) => ({ ...row, ord })))],
  });
  return inOrder(rows.length, results);
}

/** Stores what the platform answered, refunds what it did not take; the results are in the order of the rows. */
export async function recordAnswers(pool: Pool, rows: readonly AnswerRow[]): Promise<AnswerResult[]> {
  const { rows: results } = await pool.query<AnswerResult & { ord: number }>({
    name: 'chatapp-record-answers',
    text: 'SELECT ord, upstream_id FROM chatapp.record_answers($1)',
    values: [JSON.stringify(rows.map((row, ord) => ({ ...row, ord })))],
  });
  return inOrder(rows.length, results);
}

/** Moves outbound messages forward; a status of no message is kept until there is one. */
export async function recordStatuses(pool: Pool, rows: readonly StatusRow[]): Promise<void> {
  await pool.query({
    name: 'chatapp-record-statuses',
    text: 'SELECT chatapp.record_statuses($1)',
    values: [JSON.stringify(rows)],
  });
}

/** Stores inbound messages and what follows from them; answers how many were new. */
export async function recordInbound(pool: Pool, rows: readonly InboundRow[]): Promise<number> {
  const { rows: results } = await pool.query<{ fresh: number }>({
    name: 'chatapp-record-inbound',
    text: 'SELECT chatapp.record_inbound($1) AS fresh',
    values: [JSON.stringify(rows.map((row, ord) => ({ ...row, ord })))],
  });
  return results[0]?.fresh ?? 0;
}

/** Fails and refunds sends that have waited for an answer for longer than `afterMs`; answers how many. */
export async function settleOverdue(pool: Pool, afterMs: number, most: number): Promise<number> {
  const { rows } = await pool.query<{ settled: number }>('SELECT chatapp.settle_overdue($1, $2) AS settled', [
    afterMs,
    most,
  ]);
  return rows[0]?.settled ?? 0;
}

/** Records parked statuses whose message is known by now; answers how many. */
export async function matchParkedStatuses(pool: Pool, most: number): Promise<number> {
  const { rows } = await pool.query<{ matched: number }>('SELECT chatapp.match_parked($1) AS matched', [most]);
  return rows[0]?.matched ?? 0;
}

function inOrder<R extends { ord: number }>(count: number, results: readonly R[]): R[] {
  const ordered = new Array<R>(count);
  for (const result of results) ordered[result.ord] = result;
  return ordered;
}
