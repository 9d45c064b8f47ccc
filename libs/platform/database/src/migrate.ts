import { Client } from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import {
  applyRepeatable,
  type AppliedFunctions,
  type RepeatableMigration,
  type RepeatableSet,
} from './repeatable-migrations';

/** The schema of one service or library: a PostgreSQL schema with its migrations. */
export interface MigrationSet {
  schema: string;
  /** Versioned migrations: each runs once. */
  migrations: (new () => MigrationInterface)[];
  /**
   * Functions, replaced when their text changes. A set without this property leaves the functions of the schema
   * unchanged; an empty list removes them.
   */
  repeatable?: RepeatableMigration[];
}

// Any constant works, but it must be the same in all processes of all versions.
const MIGRATION_LOCK = 7_236_100_417;

/**
 * Migrates the schemas in the given order: first all versioned migrations, then all functions. Safe to call in many
 * processes concurrently: one migrates while the others wait. Returns the functions that changed. An older release that
 * runs later restores its own functions.
 */
export async function migrate(databaseUrl: string, sets: MigrationSet[]): Promise<AppliedFunctions[]> {
  const lock = new Client({ connectionString: databaseUrl });
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    for (const { schema, migrations } of sets) {
      await lock.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
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
    }
    return await applyRepeatable(lock, sets.filter(hasRepeatable));
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
