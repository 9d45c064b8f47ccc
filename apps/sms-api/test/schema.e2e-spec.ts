import { authEntities } from '@heliograph/auth';
import { firstIdOf, migrate } from '@heliograph/database';
import { tenancyEntities } from '@heliograph/tenancy';
import { createTestDatabase, schemaDifferences, undoMigrations, until, type TestDatabase } from '@heliograph/testing';
import { smsCatalogEntities } from '@heliograph/sms-catalog';
import { smsApi } from '../src/sms-api.service';
import { call, postJson } from './calls';
import { SmsFixture } from './sms-fixture';

const WEEK_MS = 7 * 24 * 3_600_000;

describe('the database schemas', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase(smsApi.migrations);
  });
  afterEach(() => database.drop());

  it('match the entities of the catalogs', async () => {
    const entities = [...tenancyEntities, ...authEntities, ...smsCatalogEntities];
    expect(await schemaDifferences(database.url, entities)).toEqual([]);
  });

  it('contain all tables of the database', async () => {
    const elsewhere = await database.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema', 'testing') AND schemaname <> ALL ($1)`,
      [smsApi.migrations.map(({ schema }) => schema)],
    );
    expect(elsewhere).toEqual([]);
  });

  it('can be migrated repeatedly and concurrently', async () => {
    await Promise.all(Array.from({ length: 4 }, () => migrate(database.url, smsApi.migrations)));
  });

  it('can be reverted completely and migrated again', async () => {
    expect(await undoMigrations(database.url, smsApi.migrations)).toEqual([]);
    await migrate(database.url, smsApi.migrations);
  });
});

describe('message retention', () => {
  it('drops old partitions at the start, except partitions with messages that are not yet sent', async () => {
    const sms = await SmsFixture.start({ environment: { SMS_RETENTION_DAYS: '7' } });
    try {
      const tenant = await sms.tenant();
      const week = Math.floor(Date.now() / WEEK_MS);
      const { body } = await postJson(sms, tenant.key, {
        from: tenant.sender.header,
        to: sms.recipient(),
        message: 'x',
        scheduledAt: '2099-01-01T00:00:00Z',
      });
      const old = week - 10;
      const older = week - 11;
      for (const each of [old, older]) {
        const [from, to] = [each, each + 1].map((one) => firstIdOf(new Date(one * WEEK_MS)));
        await sms.database.query(
          `CREATE TABLE sms.messages_w${each} PARTITION OF sms.messages FOR VALUES FROM ('${from}') TO ('${to}')`,
        );
      }
      // Simulates a message that was scheduled ten weeks ago.
      const id = firstIdOf(new Date(old * WEEK_MS + 1));
      await sms.database.query('UPDATE sms.messages SET id = $2 WHERE id = $1', [body['messageId'], id]);
      await sms.restart();
      const partitions = await sms.database.query<{ name: string }>(
        `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'sms.messages'::regclass`,
      );
      const names = partitions.map(({ name }) => name);
      expect(names).toContain(`sms.messages_w${old}`);
      expect(names).not.toContain(`sms.messages_w${older}`);
      expect(names).toContain(`sms.messages_w${week + 2}`);
    } finally {
      await sms.stop();
    }
  });

  it('does not affect a message that was scheduled long before it is sent', async () => {
    const sms = await SmsFixture.start({ environment: { SMS_RETENTION_DAYS: '7', SMS_RECEIPT_DAYS: '7' } });
    try {
      const tenant = await sms.tenant();
      const to = sms.recipient();
      const { body } = await postJson(sms, tenant.key, {
        from: tenant.sender.header,
        to,
        message: 'x',
        scheduledAt: '2099-01-01T00:00:00Z',
      });
      const old = Math.floor(Date.now() / WEEK_MS) - 10;
      const [from, till] = [old, old + 1].map((one) => firstIdOf(new Date(one * WEEK_MS)));
      for (const table of ['messages', 'parts']) {
        await sms.database.query(
          `CREATE TABLE sms.${table}_w${old} PARTITION OF sms.${table} FOR VALUES FROM ('${from}') TO ('${till}')`,
        );
      }
      // Simulates a message that was scheduled ten weeks ago and is due now.
      const id = `${firstIdOf(new Date(old * WEEK_MS + 1)).slice(0, 14)}7000-8000-000000000001`;
      await sms.database.query('UPDATE sms.messages SET id = $2 WHERE id = $1', [body['messageId'], id]);
      await sms.restart();
      await sms.database.query(
        `UPDATE messaging.outbox SET available_at = now(), payload = replace(payload::text, $1, $2)::json`,
        [body['messageId'], id],
      );
      const status = async () => (await call(sms, `/sms/status?id=${id}`, { key: tenant.key })).body['status'];
      await until('the message is delivered', async () => (await status()) === 'delivered');
      expect(sms.carrier.messages(to)).toHaveLength(1);
      await sms.restart();
      expect(await status()).toBe('delivered');
    } finally {
      await sms.stop();
    }
  });
});
