import type { Pool, PoolClient } from 'pg';

export interface TransactionOptions {
  /** Rejects writes with the PostgreSQL error 25006. Default: false. */
  readOnly?: boolean;
}

/**
 * Runs work in a transaction of its own connection and commits it. If the work or the commit fails, the transaction is
 * rolled back and the error is thrown.
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  { readOnly = false }: TransactionOptions = {},
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(readOnly ? 'BEGIN READ ONLY' : 'BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    broken = await rollBack(client);
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Runs work in a transaction that is always rolled back, to find out what the work would do. */
export async function rolledBack<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    return await work(client);
  } finally {
    client.release(await rollBack(client));
  }
}

/** Returns the error if the rollback failed. Such a connection is broken, and `release` destroys it if it gets the error. */
function rollBack(client: PoolClient): Promise<Error | undefined> {
  return client.query('ROLLBACK').then(
    () => undefined,
    (error: unknown) => error as Error,
  );
}
