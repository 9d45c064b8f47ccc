import { Client } from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';

/** The tables of one owner: one PostgreSQL schema, and the migrations that make it. */
export interface MigrationSet {
  schema: string;
  migrations: (new () => MigrationInterface)[];
}

// Any constant does; all processes of all versions must use the same.
const MIGRATION_LOCK = 7_236_100_417;

/**
 * Brings the schemas up to date, in the given order. Safe to run from many processes at once: one migrates, the
 * others wait and then find nothing to do.
 */
export async function migrate(databaseUrl: string, sets: MigrationSet[]): Promise<void> {
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
  } finally {
    await lock.end();
  }
}
