import type { Pool } from 'pg';

const BATCH = 5_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export interface IdRangeOptions {
  /** Only ids after this one are visited. */
  after?: string;
  /** Only ids before this one are visited. */
  before?: string;
  /** Stops the visits early. */
  until?: AbortSignal;
}

/**
 * Visits the rows of a table in ranges of 5,000 ids, so that each statement is short. `visit` gets an open lower and a
 * closed upper bound. Resolves with the last id that was visited.
 */
export async function inIdRanges(
  pool: Pool,
  table: string,
  visit: (after: string, upTo: string) => Promise<void>,
  { after = FIRST_ID, before = LAST_ID, until }: IdRangeOptions = {},
): Promise<string> {
  let last = after;
  while (!until?.aborted) {
    const { rows } = await pool.query<{ id: string }>(
      `SELECT id FROM (SELECT id FROM ${table} WHERE id > $1 AND id < $2 ORDER BY id LIMIT ${BATCH}) AS range
       ORDER BY id DESC LIMIT 1`,
      [last, before],
    );
    const [next] = rows;
    if (!next) break;
    await visit(last, next.id);
    last = next.id;
  }
  return last;
}
