import { billingEntities, billingMigrations } from '@heliograph/billing';
import { migrate } from '@heliograph/database';
import { createTestDatabase, schemaDifferences, type TestDatabase } from '@heliograph/testing';
import { DataSource } from 'typeorm';
import { billingHook } from '../src/billing-hook.service';

describe('the billing schema', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase(billingHook.migrations);
  });
  afterEach(() => database.drop());

  it('is what the entities say, with no table that no entity describes', async () => {
    expect(await schemaDifferences(database.url, billingEntities)).toEqual([]);
  });

  it('can be taken down to nothing, and made anew', async () => {
    const { schema, migrations } = billingMigrations;
    const dataSource = new DataSource({
      type: 'postgres',
      url: database.url,
      schema,
      migrations,
      migrationsTableName: 'migrations',
    });
    await dataSource.initialize();
    for (let i = 0; i < migrations.length; i++) await dataSource.undoLastMigration();
    await dataSource.destroy();
    const left = await database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'billing'::regnamespace
         AND relkind IN ('r', 'S', 'v') AND relname NOT LIKE 'migrations%'`,
    );
    expect(left).toEqual([]);
    await migrate(database.url, billingHook.migrations);
  });
});
