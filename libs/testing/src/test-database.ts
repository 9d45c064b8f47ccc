import { createHash, randomBytes } from 'node:crypto';
import { migrate, type MigrationSet } from '@heliograph/database';
import { Client, type ClientConfig } from 'pg';
import type { QueryRunner } from 'typeorm';
import { untilWorkerEnd } from './per-worker';
import { invalidEvents, RECORD_EVENTS_SQL } from './recorded-events';
import { testServers } from './servers.config';

const TEMPLATE = 'test_template';
// An arbitrary constant. The lock is shared while a template is copied, and exclusive while a template is created or
// dropped.
const TEMPLATES_LOCK = 7_236_100_423;

export interface TestDatabase {
  url: string;
  /** Runs one statement after all earlier statements. */
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  /**
   * Drops the database in the background, before the Jest worker ends. Rejects if an event was published that does not match
   * its contract.
   */
  drop(): Promise<void>;
}

/** Creates a separate database with the given schemas. */
export async function createTestDatabase(sets: MigrationSet[]): Promise<TestDatabase> {
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await asAdmin(async (admin) => {
    const template = sets.length === 0 ? 'template1' : await lockedTemplate(admin, sets);
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  });
  const url = urlOf(name);
  const client = await connectedClient({ connectionString: url, application_name: 'test' });
  let previous: Promise<unknown> = Promise.resolve();
  return {
    url,
    query: async <Row>(text: string, values: unknown[] = []) => {
      // A client runs one query at a time.
      const result = previous.then(() => client.query(text, values));
      previous = result.catch(() => undefined);
      return (await result).rows as Row[];
    },
    drop: async () => {
      await previous;
      const problems = await invalidEvents(client).catch(() => []);
      await client.end();
      // Dropping waits for a checkpoint of the server.
      const drop = asAdmin(async (admin) => {
        await untilUnused(admin, name);
        await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      });
      untilWorkerEnd(drop.catch((error: unknown) => console.error('A test database could not be dropped.', error)));
      if (problems.length > 0) throw new Error(problems.join('\n'));
    },
  };
}

/** The sessions of a closed pool may end slightly later, so the function waits up to one second. */
async function untilUnused(admin: Client, name: string): Promise<void> {
  for (const deadline = Date.now() + 1_000; Date.now() < deadline;) {
    const { rowCount } = await admin.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name]);
    if (rowCount === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * Returns the name of a template database with the schemas, which is not dropped while the connection is open.
 * Migrating takes seconds and copying takes milliseconds, so the first process that needs a combination of schemas
 * creates the template for all test processes.
 */
async function lockedTemplate(admin: Client, sets: MigrationSet[]): Promise<string> {
  const name = await templateName(sets);
  await admin.query('SELECT pg_advisory_lock_shared($1)', [TEMPLATES_LOCK]);
  if (await isMade(admin, name)) return name;
  await admin.query('SELECT pg_advisory_unlock_shared($1)', [TEMPLATES_LOCK]);
  await admin.query('SELECT pg_advisory_lock($1)', [TEMPLATES_LOCK]);
  if (!(await isMade(admin, name))) await makeTemplate(admin, name, sets);
  return name;
}

/**
 * The name depends on the migrations and on the day: some migrations use the current date, and templates of other days
 * can be dropped.
 */
export async function templateName(sets: MigrationSet[]): Promise<string> {
  const hash = createHash('sha1').update(RECORD_EVENTS_SQL);
  const recorder = {
    query: (...statement: unknown[]) => {
      hash.update(JSON.stringify(statement));
      return Promise.resolve([]);
    },
  } as unknown as QueryRunner;
  for (const { schema, migrations, repeatable = [] } of sets) {
    hash.update(JSON.stringify([schema, repeatable]));
    for (const Migration of migrations) {
      hash.update(Migration.name);
      await new Migration().up(recorder);
    }
  }
  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '');
  return `${TEMPLATE}_${today}_${hash.digest('hex').slice(0, 12)}`;
}

/** The mark is set last, so a template without it is incomplete. */
async function isMade(admin: Client, name: string): Promise<boolean> {
  const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1 AND datistemplate', [name]);
  return rowCount === 1;
}

async function makeTemplate(admin: Client, name: string, sets: MigrationSet[]): Promise<void> {
  await dropTemplatesOfOtherDays(admin, name);
  await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await admin.query(`CREATE DATABASE ${name}`);
  await migrate(urlOf(name), sets);
  if (sets.some(({ schema }) => schema === 'messaging')) await recordEvents(name);
  await admin.query(`ALTER DATABASE ${name} IS_TEMPLATE true`);
}

async function recordEvents(name: string): Promise<void> {
  const client = await connectedClient({ connectionString: urlOf(name) });
  try {
    await client.query(RECORD_EVENTS_SQL);
  } finally {
    await client.end();
  }
}

async function dropTemplatesOfOtherDays(admin: Client, name: string): Promise<void> {
  const ofTheDay = name.slice(0, name.lastIndexOf('_') + 1);
  const { rows } = await admin.query<{ name: string }>(
    'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1) AND NOT starts_with(datname, $2)',
    [`${TEMPLATE}_`, ofTheDay],
  );
  for (const { name: old } of rows) await dropTemplate(admin, old);
}

export async function dropTemplate(admin: Client, name: string): Promise<void> {
  await admin.query(`ALTER DATABASE ${name} IS_TEMPLATE false`);
  await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
}

function urlOf(name: string): string {
  return Object.assign(new URL(testServers.databaseUrl), { pathname: `/${name}` }).href;
}

/** A busy or starting server rejects connections for some time, so tests retry. */
const CONNECT_TIMEOUT_MS = 50_000;
const CONNECT_RETRY_MS = 250;
/** SQLSTATE of a server that has too many connections or is starting. */
const TEMPORARY = new Set(['53300', '57P03', 'ECONNREFUSED', 'ECONNRESET']);

async function connectedClient(options: ClientConfig): Promise<Client> {
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

async function asAdmin<T>(work: (admin: Client) => Promise<T>): Promise<T> {
  const client = await connectedClient({ connectionString: testServers.databaseUrl });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
