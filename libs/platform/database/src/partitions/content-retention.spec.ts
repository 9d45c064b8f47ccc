import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { Pool } from 'pg';
import { ContentRetention } from './content-retention';
import { firstIdOf } from '../ids';

const DAY_MS = 86_400_000;

describe('the retention of content', () => {
  let database: TestDatabase;
  let pool: Pool;
  beforeAll(async () => {
    database = await createTestDatabase([]);
    pool = new Pool({ connectionString: database.url });
    await pool.query('CREATE TABLE logs (id uuid PRIMARY KEY, body text NOT NULL, in_use boolean NOT NULL)');
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const { signal } = new AbortController();
  const add = async (daysAgo: number, inUse = false): Promise<string> => {
    const prefix = firstIdOf(new Date(Date.now() - daysAgo * DAY_MS)).slice(0, 24);
    const { rows } = await pool.query<{ id: string }>(
      `INSERT INTO logs SELECT ($1 || right(gen_random_uuid()::text, 12))::uuid, 'text', $2 RETURNING id`,
      [prefix, inUse],
    );
    return rows[0]!.id;
  };
  const bodyOf = async (id: string) =>
    (await pool.query<{ body: string }>('SELECT body FROM logs WHERE id = $1', [id])).rows[0]!.body;
  const retention = () =>
    new ContentRetention(pool, { table: 'logs', days: 30, empty: `body = ''`, where: `body <> '' AND NOT in_use` });

  it('deletes only the content of rows that are older than the period', async () => {
    const old = await add(31);
    const recent = await add(29);
    const used = await add(40, true);
    await retention().run(signal);
    expect([await bodyOf(old), await bodyOf(recent), await bodyOf(used)]).toEqual(['', 'text', 'text']);
  });

  it('continues where the previous run ended, and returns within a day to rows that were in use', async () => {
    const task = retention();
    const used = await add(90, true);
    const old = await add(80);
    await task.run(signal);
    await pool.query('UPDATE logs SET in_use = false WHERE id = $1', [used]);
    const later = await add(60);
    await task.run(signal);
    expect([await bodyOf(old), await bodyOf(used)]).toEqual(['', 'text']);
    for (let run = 0; run < 24; run++) await task.run(signal);
    expect([await bodyOf(later), await bodyOf(used)]).toEqual(['', '']);
  });

  it('covers more rows than one statement', async () => {
    await pool.query(
      `INSERT INTO logs SELECT ($1 || lpad(to_hex(n), 12, '0'))::uuid, 'text', false FROM generate_series(1, 12000) AS n`,
      [firstIdOf(new Date(Date.now() - 200 * DAY_MS)).slice(0, 24)],
    );
    await retention().run(signal);
    const { rows } = await pool.query<{ left: string }>(
      `SELECT count(*) AS left FROM logs WHERE body <> '' AND id < $1`,
      [firstIdOf(new Date(Date.now() - 190 * DAY_MS))],
    );
    expect(rows[0]?.left).toBe('0');
  });
});
