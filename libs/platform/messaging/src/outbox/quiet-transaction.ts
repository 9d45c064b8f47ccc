import type { Pool, PoolClient } from 'pg';
import type { AfterCommit } from '../bus';
import { markQuiet } from './quiet-query';

/**
 * Runs a transaction that stays open while events are published or consumed, so a connection that breaks meanwhile must
 * not raise an unhandled `error` event. Its end causes no check of the outbox (`quiet-query.ts`). The callbacks of `afterCommit` are called after the commit.
 */
export async function inQuietTransaction<R>(
  pool: Pool,
  work: (client: PoolClient, afterCommit: AfterCommit) => Promise<R>,
): Promise<R> {
  const client = await pool.connect();
  const unmark = markQuiet(client);
  let broken: Error | undefined;
  const onError = (error: Error): void => void (broken = error);
  client.on('error', onError);
  try {
    await client.query('BEGIN');
    const callbacks: (() => void)[] = [];
    const result = await work(client, (callback) => callbacks.push(callback));
    await client.query('COMMIT');
    for (const callback of callbacks) callback();
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
