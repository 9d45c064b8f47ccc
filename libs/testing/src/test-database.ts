import { createHash } from 'node:crypto';
import { migrate, type MigrationSet } from '@heliograph/database';
import type { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { ownName } from './database-owner';
import { resetTo, stateOf, type DatabaseState } from './database-state';
import { onWorkerEnd, untilWorkerEnd } from './per-worker';
import { invalidEvents, RECORD_EVENTS_SQL } from './recorded-events';
import { asAdmin, connectedClient, urlOf } from './server-connection';

const TEMPLATE = 'test_template';
// An arbitrary constant. The lock is shared while a template is copied, and exclusive while a template is created or
// dropped.
const TEMPLATES_LOCK = 7_236_100_423;

export interface TestDatabase {
  url: string;
  /** Runs one statement after all earlier statements. */
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  /**
   * Releases the database in the background, before the Jest worker ends: it is reset for another test file, or dropped.
   * Rejects if an event was published that does not match its contract.
   */
  drop(): Promise<void>;
}

/** A database that no test uses, in its initial state. */
interface FreeDatabase {
  name: string;
  initial: DatabaseState;
}

/** The free databases of this worker, by template. Resetting a database takes a tenth of the time of creating it. */
const free = new Map<string, FreeDatabase[]>();

/** Creates a separate database with the given schemas, or reuses one that an earlier test file has dropped. */
export async function createTestDatabase(sets: MigrationSet[]): Promise<TestDatabase> {
  const template = sets.length === 0 ? null : await templateName(sets);
  const reused = template === null ? undefined : free.get(template)?.pop();
  const name = reused?.name ?? (await ownName());
  if (!reused) await copyTemplate(name, template, sets);
  const url = urlOf(name);
  const client = await connectedClient({ connectionString: url, application_name: 'test' });
  const initial = reused?.initial ?? (await stateOf(client));
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
      const release = asAdmin(async (admin) => {
        const isUnused = await untilUnused(admin, name);
        if (template !== null && isUnused && (await isReset(name, initial))) keepFree(template, { name, initial });
        // Dropping waits for a checkpoint of the server.
        else await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      });
      untilWorkerEnd(release.catch((error: unknown) => console.error('A test database could not be dropped.', error)));
      if (problems.length > 0) throw new Error(problems.join('\n'));
    },
  };
}

async function copyTemplate(name: string, template: string | null, sets: MigrationSet[]): Promise<void> {
  await asAdmin(async (admin) => {
    if (template !== null) await lockTemplate(admin, template, sets);
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template ?? 'template1'}`);
    // The tests do not crash this server, so commits need not wait for its disk.
    await admin.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
  });
}

/** Returns whether the database is in its initial state again. */
async function isReset(name: string, initial: DatabaseState): Promise<boolean> {
  const client = await connectedClient({ connectionString: urlOf(name) });
  // A role that may not disable triggers cannot reset a database.
  return await resetTo(initial, client)
    .catch(() => false)
    .finally(() => client.end());
}

function keepFree(template: string, database: FreeDatabase): void {
  const ofTemplate = free.get(template) ?? [];
  ofTemplate.push(database);
  free.set(template, ofTemplate);
  onWorkerEnd(dropFree);
}

async function dropFree(): Promise<void> {
  const databases = [...free.values()].flat();
  free.clear();
  await asAdmin(async (admin) => {
    for (const { name } of databases) await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
}

/**
 * Returns whether no session uses a database. The sessions of a closed pool may end slightly later, so the function waits
 * up to one second.
 */
async function untilUnused(admin: Client, name: string): Promise<boolean> {
  for (const deadline = Date.now() + 1_000; Date.now() < deadline;) {
    const { rowCount } = await admin.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name]);
    if (rowCount === 0) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

/**
 * Makes a template database with the schemas if it is missing; it is not dropped while the connection is open.
 * Migrating takes seconds and copying takes milliseconds, so the first process that needs a combination of schemas
 * creates the template for all test processes.
 */
async function lockTemplate(admin: Client, name: string, sets: MigrationSet[]): Promise<void> {
  await admin.query('SELECT pg_advisory_lock_shared($1)', [TEMPLATES_LOCK]);
  if (await isMade(admin, name)) return;
  await admin.query('SELECT pg_advisory_unlock_shared($1)', [TEMPLATES_LOCK]);
  await admin.query('SELECT pg_advisory_lock($1)', [TEMPLATES_LOCK]);
  if (!(await isMade(admin, name))) await makeTemplate(admin, name, sets);
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
