import type { Pool, PoolClient, QueryResultRow } from 'pg';

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

/** Runs a query that adds no events, such as a poll. */
export async function queryQuietly<Row extends QueryResultRow>(
  pool: Pool,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = await pool.connect();
  const unmark = markQuiet(client);
  let failure: Error | undefined;
  try {
    return (await client.query<Row>(text, values)).rows;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(failure);
    unmark();
  }
}
