import { createTestDatabase, undoMigrations, type TestDatabase } from '@heliograph/testing';
import { botSearchMigrations } from './migration-set';

describe('the schema of the bot search', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase([botSearchMigrations]);
  });
  afterAll(() => database.drop());

  it('can be reverted completely', async () => {
    expect(await undoMigrations(database.url, [botSearchMigrations])).toEqual([]);
  });
});
