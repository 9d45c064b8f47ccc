import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import type { Pool, PoolClient } from 'pg';
import { createPool } from './data-source';
import { databaseConfigSchema } from './database.config';
import { inTransaction } from './pool-transactions';

describe('inTransaction', () => {
  let database: TestDatabase;
  let pool: Pool;
  beforeAll(async () => {
    database = await createTestDatabase([]);
    await database.query('CREATE TABLE numbers (value integer)');
    pool = createPool(databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: '2' }), 'test');
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const insert = async (client: PoolClient, value: number) => {
    await client.query('INSERT INTO numbers VALUES ($1)', [value]);
    return value;
  };
  const isStored = async (value: number) =>
    (await database.query('SELECT FROM numbers WHERE value = $1', [value])).length === 1;
  const processId = async () => (await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;

  it('commits the work and returns its result', async () => {
    expect(await inTransaction(pool, (client) => insert(client, 1))).toBe(1);
    expect(await isStored(1)).toBe(true);
  });

  it('rolls back work that fails, and keeps the connection', async () => {
    const before = await processId();
    const work = async (client: PoolClient) => {
      await insert(client, 2);
      await client.query('SELECT 1 / 0');
    };
    await expect(inTransaction(pool, work)).rejects.toThrow('division by zero');
    expect(await isStored(2)).toBe(false);
    expect(await processId()).toBe(before);
  });

  it('rejects writes if it is read-only', async () => {
    const write = inTransaction(pool, (client) => insert(client, 3), { readOnly: true });
    await expect(write).rejects.toMatchObject({ code: '25006' });
    expect(await isStored(3)).toBe(false);
  });

  it('destroys a connection that is lost during the work', async () => {
    const before = await processId();
    const work = (client: PoolClient) => client.query('SELECT pg_terminate_backend(pg_backend_pid())');
    await expect(inTransaction(pool, work)).rejects.toThrow();
    expect(await processId()).not.toBe(before);
  });
});
