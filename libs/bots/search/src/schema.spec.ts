import { createTestDatabase, undoMigrations, type TestDatabase } from '@heliograph/testing';
import { botSearchMigrations } from './migration-set';

describe('the schema', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase([botSearchMigrations]);
  });
  afterAll(() => database.drop());

  it('can be taken down, and leaves nothing', async () => {
    expect(await undoMigrations(database.url, [botSearchMigrations])).toEqual([]);
  });
});
