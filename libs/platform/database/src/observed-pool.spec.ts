import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { Registry } from 'prom-client';
import { createPool } from './data-source';
import { databaseConfigSchema } from './database.config';
import { registerPoolMetrics } from './observed-pool';

describe('the metrics of a connection pool', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase([]);
  });
  afterAll(() => database.drop());

  it('tell its connections, those who wait for one, and how long they have waited', async () => {
    const config = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 2 });
    const pool = createPool(config, 'pool spec');
    const registry = new Registry();
    registerPoolMetrics(registry, { main: pool });
    const read = async (name: string): Promise<number> => {
      const line = (await registry.metrics()).split('\n').find((one) => one.startsWith(`${name}{`));
      return Number(line?.split(' ').at(-1));
    };
    try {
      const clients = [await pool.connect(), await pool.connect()];
      const waiting = pool.query('SELECT 1');
      expect(await read('database_pool_max_connections')).toBe(2);
      expect(await read('database_pool_connections')).toBe(2);
      expect(await read('database_pool_idle_connections')).toBe(0);
      expect(await read('database_pool_waiting')).toBe(1);
      expect(await read('database_pool_wait_seconds_count')).toBe(2);
      for (const client of clients) client.release();
      await waiting;
      expect(await read('database_pool_waiting')).toBe(0);
      expect(await read('database_pool_wait_seconds_count')).toBe(3);
      expect(await read('database_pool_idle_connections')).toBe(2);
    } finally {
      await pool.end();
    }
  });
});
