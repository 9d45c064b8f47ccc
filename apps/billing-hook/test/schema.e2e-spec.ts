import { billingEntities } from '@heliograph/billing';
import { migrate } from '@heliograph/database';
import { createTestDatabase, schemaDifferences, undoMigrations, type TestDatabase } from '@heliograph/testing';
import { billingHook } from '../src/billing-hook.service';
import { billingMigrations } from '../src/migration-set';

describe('the billing schema', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase(billingHook.migrations);
  });
  afterEach(() => database.drop());

  it('matches its entities', async () => {
    expect(await schemaDifferences(database.url, billingEntities)).toEqual([]);
  });

  it('can be reverted completely and migrated again', async () => {
    expect(await undoMigrations(database.url, [billingMigrations])).toEqual([]);
    await migrate(database.url, billingHook.migrations);
  });
});
