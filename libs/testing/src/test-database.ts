import { randomBytes } from 'node:crypto';
import { migrate, type MigrationSet } from '@heliograph/database';
import { Client } from 'pg';
import { testServers } from './servers.config';

export interface TestDatabase {
  url: string;
  /** Runs one statement on a connection of its own making. */
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** A database of its own, with the given schemas; nobody else sees it. */
export async function createTestDatabase(sets: MigrationSet[]): Promise<TestDatabase> {
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await asAdmin(`CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(testServers.databaseUrl), { pathname: `/${name}` }).href;
  await migrate(url, sets);
  const client = new Client({ connectionString: url, application_name: 'test' });
  client.on('error', () => undefined);
  await client.connect();
  return {
    url,
    query: async <Row>(text: string, values: unknown[] = []) => (await client.query(text, values)).rows as Row[],
    drop: async () => {
      await client.end();
      await asAdmin(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function asAdmin(statement: string): Promise<void> {
  const client = new Client({ connectionString: testServers.databaseUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
