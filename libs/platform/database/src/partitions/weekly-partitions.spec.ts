import { createTestDatabase, unique, type TestDatabase } from '@heliograph/testing';
import { Pool } from 'pg';
import { firstIdOf, newId } from '../ids';
import { partitionsMigrations } from './partitions-migrations';
import { maintainWeeklyPartitions, type WeeklyTable } from './weekly-partitions';

const WEEK_MS = 7 * 24 * 3_600_000;
const thisWeek = () => Math.floor(Date.now() / WEEK_MS);

describe('weekly partitions', () => {
  let database: TestDatabase;
  let pool: Pool;
  let table: string;
  beforeAll(async () => {
    database = await createTestDatabase([partitionsMigrations]);
    pool = new Pool({ connectionString: database.url, max: 6 });
    await pool.query('CREATE SCHEMA test');
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });
  beforeEach(async () => {
    table = `test.t_${unique()}`;
    await pool.query(`CREATE TABLE ${table} (id uuid PRIMARY KEY, status text) PARTITION BY RANGE (id)`);
  });

  const weeks = async () => {
    const { rows } = await pool.query<{ name: string }>(
      'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass',
      [table],
    );
    return rows.map(({ name }) => Number(name.slice(name.lastIndexOf('_w') + 2))).sort((a, b) => a - b);
  };
  const addWeek = (week: number) =>
    pool.query(
      `CREATE TABLE ${table}_w${week} PARTITION OF ${table}
       FOR VALUES FROM ('${firstIdOf(new Date(week * WEEK_MS))}') TO ('${firstIdOf(new Date((week + 1) * WEEK_MS))}')`,
    );
  const addRow = (week: number, status: string) =>
    pool.query(`INSERT INTO ${table} VALUES ($1, $2)`, [firstIdOf(new Date(week * WEEK_MS + 1_000)), status]);
  const maintain = (options: Partial<WeeklyTable> = {}) =>
    maintainWeeklyPartitions(pool, { table, retentionDays: 30, ...options });

  it('are created for this week and the next two weeks', async () => {
    await maintain();
    const week = thisWeek();
    expect(await weeks()).toEqual([week - 1, week, week + 1, week + 2]);
    await pool.query(`INSERT INTO ${table} VALUES ($1, 'now')`, [newId()]);
    await addRow(week + 2, 'far ahead');
  });

  it('are created once by several concurrent processes', async () => {
    await Promise.all(Array.from({ length: 6 }, () => maintain()));
    await maintain();
    expect(await weeks()).toHaveLength(4);
  });

  it('are dropped when their last row is older than the retention period', async () => {
    const old = thisWeek() - 6;
    for (const week of [old - 20, old, thisWeek() - 4]) {
      await addWeek(week);
      await addRow(week, 'delivered');
    }
    await maintain({ retentionDays: 30 });
    const left = await weeks();
    expect(left).not.toContain(old);
    expect(left).not.toContain(old - 20);
    expect(left).toContain(thisWeek() - 4);
  });

  it('are kept after the retention period while a row is still needed', async () => {
    const old = thisWeek() - 10;
    await addWeek(old);
    await addRow(old, 'scheduled');
    const keepWhile: WeeklyTable['keepWhile'] = ({ from, until }) =>
      `EXISTS (SELECT FROM ${table} WHERE id >= '${from}' AND id < '${until}' AND status = 'scheduled')`;
    await addWeek(old - 1);
    await maintain({ keepWhile });
    expect(await weeks()).toContain(old);
    expect(await weeks()).not.toContain(old - 1);
    await pool.query(`UPDATE ${table} SET status = 'canceled'`);
    await maintain({ keepWhile });
    expect(await weeks()).not.toContain(old);
  });

  it('leave other tables unchanged', async () => {
    await pool.query(
      `CREATE TABLE ${table}_archive PARTITION OF ${table} FOR VALUES FROM (MINVALUE) TO ('${firstIdOf(new Date(0))}')`,
    );
    await maintain();
    const { rows } = await pool.query('SELECT to_regclass($1) AS there', [`${table}_archive`]);
    expect((rows as { there: string | null }[])[0]?.there).not.toBeNull();
  });
});
