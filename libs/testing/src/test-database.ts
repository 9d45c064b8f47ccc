import { createHash, randomBytes } from 'node:crypto';
import { migrate, type MigrationSet } from '@heliograph/database';
import { Client } from 'pg';
import { testServers } from './servers.config';

const TEMPLATE = 'test_template';

export interface TestDatabase {
  url: string;
  /** Runs one statement on a connection of its own making. */
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** A database of its own, with the given schemas; nobody else sees it. */
export async function createTestDatabase(sets: MigrationSet[]): Promise<TestDatabase> {
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  const template = sets.length === 0 ? 'template1' : await migratedTemplate(sets);
  await asAdmin((admin) => admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  const url = urlOf(name);
  const client = new Client({ connectionString: url, application_name: 'test' });
  client.on('error', () => undefined);
  await client.connect();
  return {
    url,
    query: async <Row>(text: string, values: unknown[] = []) => (await client.query(text, values)).rows as Row[],
    drop: async () => {
      await client.end();
      await asAdmin((admin) => admin.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

/** Migrating takes seconds, copying a moment: every process of tests migrates once for each choice of schemas. */
async function migratedTemplate(sets: MigrationSet[]): Promise<string> {
  const choice = sets.map(({ schema, migrations }) => [schema, ...migrations.map(({ name }) => name)].join(' ')).join();
  const name = `${TEMPLATE}_${process.pid}_${createHash('sha1').update(choice).digest('hex').slice(0, 12)}`;
  const under = making.get(name);
  if (under) return under;
  const made = makeTemplate(name, sets);
  making.set(name, made);
  return made;
}

const making = new Map<string, Promise<string>>();

function makeTemplate(name: string, sets: MigrationSet[]): Promise<string> {
  return asAdmin(async (admin) => {
    const { rows } = await admin.query<{ datistemplate: boolean }>(
      'SELECT datistemplate FROM pg_database WHERE datname = $1',
      [name],
    );
    // The mark is set last: without it the making was interrupted.
    if (rows[0]?.datistemplate) return name;
    await dropTemplatesOfTheDead(admin);
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.query(`CREATE DATABASE ${name}`);
    await migrate(urlOf(name), sets);
    await admin.query(`ALTER DATABASE ${name} IS_TEMPLATE true`);
    return name;
  });
}

/** What earlier runs have left: nothing tells a process in time that it was its last test. */
async function dropTemplatesOfTheDead(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database WHERE datname LIKE '${TEMPLATE}\\_%'`,
  );
  for (const { name } of rows) {
    if (isAlive(Number(name.split('_')[2]))) continue;
    // Another process may be at it as well.
    await admin.query(`ALTER DATABASE ${name} IS_TEMPLATE false`).catch(() => undefined);
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function urlOf(name: string): string {
  return Object.assign(new URL(testServers.databaseUrl), { pathname: `/${name}` }).href;
}

async function asAdmin<T>(work: (admin: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: testServers.databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
