import { Client, type ClientConfig } from 'pg';
import { testServers } from './servers.config';

/** The URL of another database on the server of the tests. */
export function urlOf(name: string): string {
  return Object.assign(new URL(testServers.databaseUrl), { pathname: `/${name}` }).href;
}

/** A busy or starting server rejects connections for some time, so tests retry. */
const CONNECT_TIMEOUT_MS = 50_000;
const CONNECT_RETRY_MS = 250;
/** SQLSTATE of a server that has too many connections or is starting. */
const TEMPORARY = new Set(['53300', '57P03', 'ECONNREFUSED', 'ECONNRESET']);

export async function connectedClient(options: ClientConfig): Promise<Client> {
  for (const deadline = Date.now() + CONNECT_TIMEOUT_MS; ;) {
    const client = new Client(options);
    // Reports a session that the server ends between two queries.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (!TEMPORARY.has(code) || Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, CONNECT_RETRY_MS));
  }
}

/** Runs work on a connection that is closed afterwards. */
export async function asAdmin<T>(work: (admin: Client) => Promise<T>): Promise<T> {
  const client = await connectedClient({ connectionString: testServers.databaseUrl });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
