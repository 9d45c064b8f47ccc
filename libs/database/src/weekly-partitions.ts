import type { Pool } from 'pg';
import { firstIdOf } from './ids';

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const WEEKS_AHEAD = 4;

/** A table partitioned by range of its UUIDv7 `id`, one partition a week. */
export interface WeeklyTable {
  /** `schema.table` */
  table: string;
  retentionDays: number;
  /** SQL condition of rows that keep their partition alive past its time, such as what is still to be sent. */
  keepWhile?: string;
}

/**
 * Makes the partitions of this week and the coming four, and drops those whose last row is older than the retention.
 * The id alone says which partition a row is in, so a look-up by id touches one partition and one index.
 */
export async function maintainWeeklyPartitions(
  pool: Pool,
  { table, retentionDays, keepWhile }: WeeklyTable,
): Promise<void> {
  const thisWeek = Math.floor(Date.now() / WEEK_MS);
  for (let week = thisWeek - 1; week <= thisWeek + WEEKS_AHEAD; week++) {
    await pool.query(
      `CREATE TABLE IF NOT EXISTS ${partitionName(table, week)} PARTITION OF ${table}
       FOR VALUES FROM ('${firstIdOf(new Date(week * WEEK_MS))}') TO ('${firstIdOf(new Date((week + 1) * WEEK_MS))}')
       WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)`,
    );
  }
  const oldestKept = Math.floor((Date.now() - retentionDays * 24 * 60 * 60 * 1000) / WEEK_MS);
  for (const week of await partitionWeeks(pool, table)) {
    if (week >= oldestKept) continue;
    const name = partitionName(table, week);
    if (keepWhile && (await pool.query(`SELECT 1 FROM ${name} WHERE ${keepWhile} LIMIT 1`)).rowCount) continue;
    await pool.query(`DROP TABLE IF EXISTS ${name}`);
  }
}

function partitionName(table: string, week: number): string {
  return `${table}_w${week}`;
}

async function partitionWeeks(pool: Pool, table: string): Promise<number[]> {
  const { rows } = await pool.query<{ name: string }>(
    'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass',
    [table],
  );
  return rows.flatMap(({ name }) => {
    const week = /_w(\d+)$/.exec(name)?.[1];
    return week ? [Number(week)] : [];
  });
}
