import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { applyAccess, applyLogin, MIGRATION_LOCK, type DatabaseAccess, type ServiceLogin } from './database-access';
import { checkApplied } from './migration-checksums';
import type { MigrationSet } from './migration-set';
import { applyRepeatable, type AppliedFunctions, type RepeatableSet } from './repeatable-migrations';

export interface MigrateOptions {
  /** The privileges of the services, applied last. */
  access?: readonly DatabaseAccess[];
  /** The login of the service, which gets the role of the first `access`. */
  login?: ServiceLogin;
}

/**
 * Migrates the schemas in the given order: first all versioned migrations, then all functions, then the privileges of
 * the services. Throws a ChangedMigrationError if an applied migration has changed. Safe to call in many processes concurrently: one migrates while the others wait. Returns the functions
 * that changed. An older release that runs later restores its own functions and privileges.
 */
export async function migrate(
  databaseUrl: string,
  sets: MigrationSet[],
  { access = [], login }: MigrateOptions = {},
): Promise<AppliedFunctions[]> {
  const lock = new Client({ connectionString: databaseUrl });
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    for (const { schema } of sets) await lock.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    // Before the first migration, so that a refused release changes nothing.
    for (const set of sets) await checkApplied(lock, set);
    for (const set of sets) {
      const { schema, migrations } = set;
      const dataSource = new DataSource({
        type: 'postgres',
        url: databaseUrl,
        schema,
        migrations,
        migrationsTableName: 'migrations',
        migrationsTransactionMode: 'each',
        poolSize: 1,
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
    await lock.end();
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
