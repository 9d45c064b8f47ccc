import { createTestDatabase, schemaDifferences, undoMigrations, type TestDatabase } from '@heliograph/testing';
import { botSearchEntities, botSearchMigrations } from './migration-set';

describe('the schema', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase([botSearchMigrations]);
  });
  afterAll(() => database.drop());

  it('is as the entities say', async () => {
    expect(await schemaDifferences(database.url, botSearchEntities)).toEqual([]);
  });

  it('can be taken down, and leaves nothing', async () => {
    expect(await undoMigrations(database.url, [botSearchMigrations])).toEqual([]);
  });
});
