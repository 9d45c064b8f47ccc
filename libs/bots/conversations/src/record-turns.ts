import type { Pool } from 'pg';
import type { TurnOutcome, TurnRow } from './rows';

/** Records turns in one commit; returns their outcomes in the order of the rows. */
export async function recordTurns(pool: Pool, rows: readonly TurnRow[]): Promise<TurnOutcome[]> {
  const { rows: results } = await pool.query<{ ord: number; outcome: TurnOutcome }>({
    name: 'bots-record-turns',
    text: 'SELECT ord, outcome FROM bots.record_turns($1)',
    values: [JSON.stringify(rows.map((row, ord) => ({ ...row, ord })))],
  });
  const outcomes = new Array<TurnOutcome>(rows.length);
  for (const { ord, outcome } of results) outcomes[ord] = outcome;
  return outcomes;
}
