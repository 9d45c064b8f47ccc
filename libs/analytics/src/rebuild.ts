import { firstIdOf } from '@heliograph/database';
import type { ClientBase, Pool } from 'pg';
import { ceil, floor } from './blocks';
import { COUNTED_DAYS } from './counted-retention';
import type { Source } from './sources';

const BATCH = 1_000;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

interface SourceTable {
  table: string;
  /** The time at which a row counts. */
  time: string;
  /** How long after that time the row may be stored. */
  maxDelayMs: number;
}

/** How the ids of a source are selected: from a range of UUIDv7 ids that contains the time range. */
const TABLES: Readonly<Record<Exclude<Source, 'credits'>, SourceTable>> = {
  sms: { table: 'sms.messages', time: 'created_at', maxDelayMs: 0 },
  email: { table: 'email.messages', time: 'created_at', maxDelayMs: 0 },
  chatapp: {
    table: 'chatapp.messages',
    time: `least(greatest(coalesce(occurred_at, created_at), created_at - interval '30 days'), created_at)`,
    maxDelayMs: 30 * DAY_MS,
  },
  bots: { table: 'bots.conversations', time: 'created_at', maxDelayMs: 0 },
};

export interface Rebuilt {
  source: Source;
  /** Messages, conversations or ledger entries in the range. */
  read: number;
  /** Entries whose figures were not up to date. */
  changed: number;
  /** Rollups that differed from the sum of the counted figures. */
  repaired: number;
}

/**
 * Recounts a time range from the tables of messages, conversations and ledger entries, and corrects the rollups that differ.
 * The rollups of all eight-week blocks that overlap the range are checked. The services can keep running: an entry that
 * was recounted is not counted again when its event arrives.
 * Throws RangeError for a range that is too old.
 */
export async function rebuildAnalytics(pool: Pool | ClientBase, since: Date, before: Date): Promise<Rebuilt[]> {
  // What was counted for older messages is deleted, so that their rollups cannot be compared.
  const first = floor('eight_weeks', since);
  if (first.getTime() < Date.now() - COUNTED_DAYS * DAY_MS) {
    const oldest = ceil('eight_weeks', new Date(Date.now() - COUNTED_DAYS * DAY_MS))
      .toISOString()
      .slice(0, 10);
    throw new RangeError(`A rebuild can begin on ${oldest} at the earliest: older messages are not counted again.`);
  }
  const results: Rebuilt[] = [];
  for (const source of ['sms', 'email', 'chatapp', 'bots', 'credits'] as const) {
    let read = 0;
    let changed = 0;
    for await (const ids of idsOf(pool, source, since, before)) {
      const { rows } = await pool.query<{ changed: string }>(`SELECT analytics.count_${source}($1) AS changed`, [ids]);
      read += ids.length;
      changed += Number(rows[0]?.changed ?? 0);
    }
    const { rows } = await pool.query<{ repaired: string }>(`SELECT analytics.repair_${source}($1, $2) AS repaired`, [
      first,
      ceil('eight_weeks', before),
    ]);
    results.push({ source, read, changed, repaired: Number(rows[0]?.repaired ?? 0) });
  }
  return results;
}

function idsOf(pool: Pool | ClientBase, source: Source, since: Date, before: Date): AsyncGenerator<string[]> {
  return source === 'credits' ? entryIds(pool, since, before) : messageIds(pool, source, since, before);
}

async function* messageIds(
  pool: Pool | ClientBase,
  source: Exclude<Source, 'credits'>,
  since: Date,
  before: Date,
): AsyncGenerator<string[]> {
  const { table, time, maxDelayMs } = TABLES[source];
  // The id of a message is generated just before or after its timestamp.
  let after = firstIdOf(new Date(since.getTime() - HOUR_MS));
  const last = firstIdOf(new Date(before.getTime() + maxDelayMs + HOUR_MS));
  for (;;) {
    const { rows } = await pool.query<{ id: string; is_inside: boolean }>(
      `SELECT id, ${time} >= $3 AND ${time} < $4 AS is_inside FROM ${table} WHERE id > $1 AND id < $2
       ORDER BY id LIMIT ${BATCH}`,
      [after, last, since, before],
    );
    const next = rows.at(-1);
    if (!next) return;
    yield rows.filter(({ is_inside: isInside }) => isInside).map(({ id }) => id);
    if (rows.length < BATCH) return;
    after = next.id;
  }
}

async function* entryIds(pool: Pool | ClientBase, since: Date, before: Date): AsyncGenerator<string[]> {
  const { rows: workspaces } = await pool.query<{ id: string }>('SELECT id FROM tenancy.workspaces');
  for (const { id } of workspaces) {
    let after: [Date | string, string] = [since, '0'];
    for (;;) {
      const { rows } = await pool.query<{ id: string; at: string; position: string }>(
        `SELECT id, created_at::text AS at, position::text FROM credits.ledger
         WHERE workspace_id = $1 AND created_at < $2 AND (created_at, position) > ($3, $4)
         ORDER BY created_at, position LIMIT ${BATCH}`,
        [id, before, ...after],
      );
      const next = rows.at(-1);
      if (!next) break;
      yield rows.map((row) => row.id);
      after = [next.at, next.position];
    }
  }
}
