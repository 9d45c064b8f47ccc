import { createDataSource, databaseSettings, type Entities } from '@heliograph/database';

/** What would have to be done for a migrated database to be as the entities say; nothing, if all is well. */
export async function schemaDifferences(databaseUrl: string, entities: Entities): Promise<string[]> {
  const settings = databaseSettings.parse({ DATABASE_URL: databaseUrl });
  const dataSource = await createDataSource(settings, 'schema check', entities).initialize();
  try {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    if (dataSource.entityMetadatas.length !== entities.length) return ['an entity is missing or listed twice'];
    const described = new Set(dataSource.entityMetadatas.map(({ schema, tableName }) => `${schema}.${tableName}`));
    const tables: { name: string }[] = await dataSource.query(
      `SELECT n.nspname || '.' || c.relname AS name FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
       WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'migrations'
         AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
         AND n.nspname = ANY($1) ORDER BY 1`,
      [[...new Set(dataSource.entityMetadatas.map(({ schema }) => schema))]],
    );
    const unknown = tables.filter(({ name }) => !described.has(name)).map(({ name }) => `no entity describes ${name}`);
    return [...upQueries.map(({ query }) => query), ...unknown];
  } finally {
    await dataSource.destroy();
  }
}
