import type { Pool, PoolClient } from 'pg';
import { firstIdOf } from '../ids';

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const WEEKS_AHEAD = 2;
const DEFAULT_FILL_PERCENT = 80;
/** Interval at which a service maintains its partitions. */
export const PARTITION_MAINTENANCE_MS = 60 * 60_000;

/** A table that is partitioned by range of its UUIDv7 `id`, with one partition per week. */
export interface WeeklyTable {
  /** `schema.table` */
  table: string;
  retentionDays: number;
  /**
   * How far inserts fill a page of the table (10 to 100, 80 by default). An update that finds room in the page of its row
   * does not touch the indexes.
   */
  fillPercent?: number;
  /**
   * SQL condition that retains a partition beyond the retention period. Its ids are between `from` (inclusive) and
   * `until` (exclusive).
   */
  keepWhile?: (ids: { from: string; until: string }) => string;
}

/** Time that a process waits for another one that maintains the same table. */
const MAINTENANCE_LOCK_TIMEOUT_MS = 60_000;

/**
 * Creates the partitions of this week and the next two weeks, and drops those whose last row is older than the
 * retention. The id determines the partition, so a lookup by id reads one partition and one index. Safe to call in
 * several processes concurrently: one works while the others wait.
 */
export async function maintainWeeklyPartitions(pool: Pool, weekly: WeeklyTable): Promise<void> {
  const client = await pool.connect();
  let failed = true;
  try {
    // The process that works may need longer than the lock time-out of calls.
    await client.query(`SET lock_timeout = ${MAINTENANCE_LOCK_TIMEOUT_MS}`);
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [`partitions of ${weekly.table}`]);
    await client.query('RESET lock_timeout');
    await makeAhead(client, weekly);
    await dropOld(client, weekly);
    await client.query('SELECT pg_advisory_unlock(hashtext($1))', [`partitions of ${weekly.table}`]);
    failed = false;
  } finally {
    // Closing the connection releases its lock.
    client.release(failed);
  }
}

async function makeAhead(
  client: PoolClient,
  { table, fillPercent = DEFAULT_FILL_PERCENT }: WeeklyTable,
): Promise<void> {
  const thisWeek = Math.floor(Date.now() / WEEK_MS);
  for (let week = thisWeek - 1; week <= thisWeek + WEEKS_AHEAD; week++) {
    await client.query('SELECT partitions.create_week($1, $2, $3, $4, $5)', [
      table,
      week,
      firstIdOfWeek(week),
      firstIdOfWeek(week + 1),
      fillPercent,
    ]);
  }
}

async function dropOld(client: PoolClient, { table, retentionDays, keepWhile }: WeeklyTable): Promise<void> {
  const oldestKept = Math.floor((Date.now() - retentionDays * 24 * 60 * 60 * 1000) / WEEK_MS);
  for (const week of await partitionWeeks(client, table)) {
    if (week >= oldestKept) continue;
    const condition = keepWhile?.({ from: firstIdOfWeek(week), until: firstIdOfWeek(week + 1) });
    if (condition && (await client.query(`SELECT 1 WHERE ${condition}`)).rowCount) continue;
    await client.query('SELECT partitions.drop_week($1, $2)', [table, week]);
  }
}

function firstIdOfWeek(week: number): string {
  return firstIdOf(new Date(week * WEEK_MS));
}

async function partitionWeeks(client: PoolClient, table: string): Promise<number[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass',
    [table],
  );
  return rows.flatMap(({ name }) => {
    const week = /_w(\d+)$/.exec(name)?.[1];
    return week ? [Number(week)] : [];
  });
}
