import type { Pool, PoolClient } from 'pg';

/** Runs work in a transaction that is always rolled back, to find out what the work would do. */
export async function rolledBack<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    return await work(client);
  } finally {
    const failed = await client.query('ROLLBACK').then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    client.release(failed);
  }
}
