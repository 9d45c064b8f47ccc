import { migrate } from '@heliograph/database';
import { idempotencyMigrations } from '@heliograph/idempotency';
import { messagingMigrations } from '@heliograph/messaging';
import { createTestDatabase, schemaDifferences, undoMigrations } from '@heliograph/testing';
import { botEntities, botMigrations } from './migration-set';

describe('the schema of bot conversations', () => {
  it('matches its entities, and can be reverted completely and migrated again', async () => {
    const sets = [messagingMigrations, idempotencyMigrations, botMigrations];
    const database = await createTestDatabase(sets);
    expect(await schemaDifferences(database.url, botEntities)).toEqual([]);
    expect(await undoMigrations(database.url, sets)).toEqual([]);
    await migrate(database.url, sets);
    await database.drop();
  });
});
