import type { Pool, PoolClient } from 'pg';
import { markQuiet } from './quiet-query';

/**
 * Runs a transaction of the relay. It stays open while events are published, so a connection that breaks meanwhile must
 * not raise an unhandled `error` event. `committed` is called after the commit.
 */
export async function inRelayTransaction<R>(
  pool: Pool,
  work: (client: PoolClient) => Promise<R>,
  committed: (client: PoolClient) => void,
): Promise<R> {
  const client = await pool.connect();
  const unmark = markQuiet(client);
  let broken: Error | undefined;
  const onError = (error: Error): void => void (broken = error);
  client.on('error', onError);
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    committed(client);
    return result;
  } catch (error) {
    if (!broken) await client.query('ROLLBACK').catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
    unmark();
  }
}
