import type { Pool, PoolClient } from 'pg';
import { markQuiet } from './quiet-query';

/**
 * Runs a transaction that stays open while events are published or consumed, so a connection that breaks meanwhile must
 * not raise an unhandled `error` event. Its end causes no check of the outbox (`quiet-query.ts`). `committed` is called after the commit.
 */
export async function inQuietTransaction<R>(
  pool: Pool,
  work: (client: PoolClient) => Promise<R>,
  committed: (client: PoolClient) => void = () => undefined,
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
