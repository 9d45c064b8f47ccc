import { authEntities } from '@heliograph/auth';
import { firstIdOf, migrate } from '@heliograph/database';
import { emailCatalogEntities } from '@heliograph/email-catalog';
import { tenancyEntities } from '@heliograph/tenancy';
import { createTestDatabase, schemaDifferences, undoMigrations, type TestDatabase } from '@heliograph/testing';
import { emailApi } from '../src/email-api.service';
import { reportOf, sendOk } from './calls';
import { EmailFixture } from './email-fixture';

const WEEK_MS = 7 * 24 * 3_600_000;

describe('the database schemas', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase(emailApi.migrations);
  });
  afterEach(() => database.drop());

  it('match the entities of the catalogs', async () => {
    const entities = [...tenancyEntities, ...authEntities, ...emailCatalogEntities];
    expect(await schemaDifferences(database.url, entities)).toEqual([]);
  });

  it('can be migrated again by many processes concurrently', async () => {
    await Promise.all(Array.from({ length: 4 }, () => migrate(database.url, emailApi.migrations)));
  });

  it('can be reverted and created again', async () => {
    expect(await undoMigrations(database.url, emailApi.migrations)).toEqual([]);
    await migrate(database.url, emailApi.migrations);
  });
});

describe('the retention of sends', () => {
  it('drops old partitions, except a partition with a send that is still scheduled', async () => {
    const email = await EmailFixture.start({ environment: { EMAIL_RETENTION_DAYS: '7' } });
    try {
      const tenant = await email.tenant();
      const week = Math.floor(Date.now() / WEEK_MS);
      const fields = { to: email.recipient(), subject: 'Hi', text: 'Hi', scheduledAt: '2099-01-01T00:00:00Z' };
      const { id } = await sendOk(email, tenant.key, fields);
      const weeks: [number, 'kept' | 'dropped'][] = [
        [week - 9, 'kept'],
        [week - 10, 'dropped'],
      ];
      for (const [old, outcome] of weeks) {
        for (const table of ['messages', 'recipients', 'events']) {
          await email.rows(
            `CREATE TABLE email.${table}_w${old} PARTITION OF email.${table}
             FOR VALUES FROM ('${firstIdOf(new Date(old * WEEK_MS))}') TO ('${firstIdOf(new Date((old + 1) * WEEK_MS))}')`,
          );
        }
        if (outcome === 'dropped') continue;
        const moved = firstIdOf(new Date(old * WEEK_MS + 1_000));
        await email.rows('UPDATE email.messages SET id = $1 WHERE id = $2', [moved, id]);
        await email.rows('UPDATE email.recipients SET message_id = $1 WHERE message_id = $2', [moved, id]);
      }
      await email.restart();
      const tables = (await email.rows<{ name: string }>(`SELECT relname AS name FROM pg_class`)).map(
        ({ name }) => name,
      );
      for (const table of ['messages', 'recipients', 'events']) {
        expect([tables.includes(`${table}_w${week - 9}`), tables.includes(`${table}_w${week - 10}`)]).toEqual([
          true,
          false,
        ]);
      }
      const retained = firstIdOf(new Date((week - 9) * WEEK_MS + 1_000));
      expect((await reportOf(email, tenant.key, retained)).status).toBe('scheduled');
    } finally {
      await email.stop();
    }
  });
});
