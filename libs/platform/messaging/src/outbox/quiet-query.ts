import type { Pool, PoolClient, QueryConfig, QueryResultRow } from 'pg';

/** Connections that are running queries that add no events. */
const quietClients = new WeakSet<object>();

/** Whether the client that is being released ran a query that adds no events. */
export function isQuiet(client: object): boolean {
  return quietClients.has(client);
}

/** Marks a client until its release, so that its release does not trigger a check of the outbox. */
export function markQuiet(client: PoolClient): () => void {
  quietClients.add(client);
  return () => quietClients.delete(client);
}

/**
 * Runs a query that adds no events, such as a poll for work, without a check of the outbox afterwards. Every other use of the
 * pool causes such a check, so that each poll of an idle service would cause two transactions.
 */
export async function queryQuietly<Row extends QueryResultRow>(
  pool: Pool,
  query: string | QueryConfig,
  values?: unknown[],
): Promise<Row[]> {
  const client = await pool.connect();
  const unmark = markQuiet(client);
  let failure: Error | undefined;
  try {
    return (await client.query<Row>(query, values)).rows;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(failure);
    unmark();
  }
}
