import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { applyAccess, applyLogin, MIGRATION_LOCK, type DatabaseAccess, type ServiceLogin } from './database-access';
import { checkApplied } from './migration-checksums';
import { untilConnected, type ConnectAttempt } from '../until-connected';
import { quietLogger } from './quiet-logger';
import type { MigrationSet } from './migration-set';
import { applyRepeatable, type AppliedFunctions, type RepeatableSet } from './repeatable-migrations';

const CONNECT_TIMEOUT_MS = 3_000;

export interface MigrateOptions {
  /** The privileges of the services, applied last. */
  access?: readonly DatabaseAccess[];
  /** The login of the service, which gets the role of the first `access`. */
  login?: ServiceLogin;
  /** Ends the migration: its connections are terminated, which rolls back the transaction in progress and releases the lock. */
  signal?: AbortSignal;
  /** Waits for the server. Default: fails without it. */
  wait?: { timeoutMs: number; onFailure: (attempt: ConnectAttempt) => void };
}

/**
 * Migrates the schemas in the given order: first all versioned migrations, then all functions, then the privileges of
 * the services. Throws a ChangedMigrationError if an applied migration has changed. Safe to call in many processes concurrently: one migrates while the others wait. Returns the functions
 * that changed. An older release that runs later restores its own functions and privileges.
 */
export async function migrate(
  databaseUrl: string,
  sets: MigrationSet[],
  { access = [], login, signal, wait }: MigrateOptions = {},
): Promise<AppliedFunctions[]> {
  if (wait) await untilAvailable(databaseUrl, wait, signal);
  signal?.throwIfAborted();
  const applicationName = `migration ${randomUUID()}`;
  const lock = new Client({ connectionString: databaseUrl, application_name: applicationName });
  // Its queries notice a lost connection.
  lock.on('error', () => undefined);
  const end = (): void => void terminate(databaseUrl, applicationName);
  signal?.addEventListener('abort', end, { once: true });
  try {
    await lock.connect();
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    for (const { schema } of sets) await lock.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    // Before the first migration, so that a refused release changes nothing.
    for (const set of sets) await checkApplied(lock, set);
    for (const set of sets) {
      signal?.throwIfAborted();
      const { schema, migrations } = set;
      const dataSource = new DataSource({
        type: 'postgres',
        url: databaseUrl,
        schema,
        migrations,
        migrationsTableName: 'migrations',
        migrationsTransactionMode: 'each',
        poolSize: 1,
        applicationName,
        logger: quietLogger,
      });
      await dataSource.initialize();
      try {
        await dataSource.runMigrations();
      } finally {
        await dataSource.destroy();
      }
      await checkApplied(lock, set);
    }
    const applied = await applyRepeatable(lock, sets.filter(hasRepeatable));
    for (const one of access) await applyAccess(lock, one);
    if (login && access[0]) await applyLogin(lock, access[0].role, login);
    return applied;
  } finally {
    signal?.removeEventListener('abort', end);
    // A terminated connection is closed already.
    await lock.end().catch(() => undefined);
  }
}

/** A refused login is not repeated, because it is that of the owner, which no other job creates. */
function untilAvailable(
  connectionString: string,
  wait: NonNullable<MigrateOptions['wait']>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const connection = { connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
  return untilConnected(connection, { ...wait, refusesLogin: true, ...(signal ? { signal } : {}) });
}

/**
 * Terminates the connections of a migration on the server. A server notices only after its current statement that a client has
 * disconnected, which can take as long as the creation of an index, and keeps the locks meanwhile.
 */
async function terminate(databaseUrl: string, applicationName: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'migration stop' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [
      applicationName,
    ]);
  } catch {
    // Without a connection to the server, the migration fails by itself.
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns one line for each schema whose functions changed, for the log. */
export function describeApplied(results: readonly AppliedFunctions[]): string[] {
  const listOf = (names: readonly string[]) => names.join(', ') || 'none';
  return results.map(
    ({ schema, applied, removed }) =>
      `schema ${schema}: SQL functions applied: ${listOf(applied)}; SQL functions removed: ${listOf(removed)}`,
  );
}

function hasRepeatable(set: MigrationSet): set is MigrationSet & RepeatableSet {
  return set.repeatable !== undefined;
}
