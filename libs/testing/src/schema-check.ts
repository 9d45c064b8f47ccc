import {
  createDataSource,
  databaseConfigSchema,
  migrate,
  type Entities,
  type MigrationSet,
} from '@heliograph/database';
import { Client, Pool, type ClientConfig } from 'pg';
import { DataSource } from 'typeorm';

/** TypeORM reads the schema with many queries at once on one client; pg 9 will reject that. */
class SequentialClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...parameters: unknown[]) => Promise<unknown>;
    let previous: Promise<unknown> = Promise.resolve();
    this.query = ((...parameters: unknown[]) => {
      const result = previous.then(() => query(...parameters));
      previous = result.catch(() => undefined);
      return result;
    }) as Client['query'];
  }
}

/**
 * Returns the statements that would change the tables of a migrated database to match their entities; none if they
 * match. Hot tables have no entity and are not compared.
 */
export async function schemaDifferences(databaseUrl: string, entities: Entities): Promise<string[]> {
  const settings = databaseConfigSchema.parse({ DATABASE_URL: databaseUrl });
  const pool = new Pool({ connectionString: databaseUrl, Client: SequentialClient });
  const dataSource = await createDataSource(settings, 'schema check', entities, pool).initialize();
  try {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    if (dataSource.entityMetadatas.length !== entities.length) return ['an entity is missing or listed twice'];
    return upQueries.map(({ query }) => query);
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Reverts the migrations of schemas, the last created first. Returns the objects that remain but should have been
 * removed.
 */
export async function undoMigrations(databaseUrl: string, sets: readonly MigrationSet[]): Promise<string[]> {
  await migrate(
    databaseUrl,
    sets.map((set) => ({ ...set, repeatable: [] })),
  );
  for (const { schema, migrations } of sets.toReversed()) {
    const own = { type: 'postgres', url: databaseUrl, schema, migrations, migrationsTableName: 'migrations' } as const;
    const dataSource = await new DataSource(own).initialize();
    for (let i = 0; i < migrations.length; i++) await dataSource.undoLastMigration();
    await dataSource.destroy();
  }
  const dataSource = await new DataSource({ type: 'postgres', url: databaseUrl }).initialize();
  try {
    const left: { name: string }[] = await dataSource.query(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = ANY ($1::regnamespace[])
         AND relkind IN ('r', 'p', 'c', 'v', 'S') AND relname !~ '^((repeatable_)?migrations|migration_checksums)'
       UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = ANY ($1::regnamespace[])`,
      [sets.map(({ schema }) => schema)],
    );
    return left.map(({ name }) => name);
  } finally {
    await dataSource.destroy();
  }
}
