import { createDataSource, databaseConfigSchema, newId } from '@heliograph/database';
import { messagingMigrations } from '@heliograph/messaging';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import type { DataSource, EntityManager } from 'typeorm';
import { ChatappConsent, type ConsentStatus } from './consent.entity';
import { ChatappConsents } from './consents';
import { chatappCatalogEntities, chatappCatalogMigrations } from '../migration-set';

const NUMBER = '+919811111111';

let database: TestDatabase;
let dataSource: DataSource;
let consents: ChatappConsents;
/** A different number in every test. */
let organizationId: string;
beforeAll(async () => {
  database = await createTestDatabase([messagingMigrations, chatappCatalogMigrations]);
  const config = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 8 });
  dataSource = await createDataSource(config, 'chatapp consents spec', chatappCatalogEntities).initialize();
  consents = new ChatappConsents(dataSource.getRepository(ChatappConsent));
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});
beforeEach(() => {
  organizationId = newId();
});

const write = <T>(work: (transaction: EntityManager) => Promise<T>): Promise<T> => dataSource.transaction(work);
const record = (status: ConsentStatus, source = 'api', of = organizationId) =>
  write((t) => consents.record(t, of, { number: NUMBER, status, source }, 'request'));
const byAccount = (status: ConsentStatus, note?: string) =>
  write((t) =>
    consents.recordByAccount(
      t,
      organizationId,
      { number: NUMBER, status, ...(note === undefined ? {} : { note }) },
      'request',
    ),
  );
const declare = (status: ConsentStatus, source = 'provisioning') =>
  write((t) => consents.declare(t, organizationId, { number: NUMBER, status, source, note: null }));
const stored = () =>
  database.query('SELECT status, source, note, updated_at FROM chatapp.consents WHERE organization_id = $1', [
    organizationId,
  ]);
const publishedConsents = async () => {
  const rows = await database.query<{ data: { status: string } }>(
    `SELECT payload::json -> 'data' AS data FROM messaging.outbox
     WHERE type = 'chatapp.consent.changed' AND payload::json ->> 'organizationId' = $1 ORDER BY id`,
    [organizationId],
  );
  return rows.map(({ data }) => data);
};

describe('a consent', () => {
  it('is recorded, and published when its status changes', async () => {
    const made = await record('opted_in');
    expect(made).toMatchObject({ organizationId, number: NUMBER, status: 'opted_in', source: 'api', note: null });
    await record('opted_in', 'form');
    await record('opted_out');
    expect(await stored()).toMatchObject([{ status: 'opted_out', source: 'api' }]);
    const data = { consentId: made.id, number: NUMBER };
    expect(await publishedConsents()).toMatchObject([
      { ...data, status: 'opted_in', source: 'api' },
      { ...data, status: 'opted_out', source: 'api' },
    ]);
  });

  it('is stored in one row and published once when many calls record it concurrently', async () => {
    await Promise.all(Array.from({ length: 6 }, () => record('opted_out')));
    expect(await stored()).toHaveLength(1);
    expect(await publishedConsents()).toHaveLength(1);
  });
});

describe("a consent that the organization's users record", () => {
  it('returns the previous record', async () => {
    expect(await byAccount('opted_in', 'Signed at the counter.')).toMatchObject({
      before: null,
      after: { status: 'opted_in', source: 'account', note: 'Signed at the counter.' },
    });
    expect(await byAccount('opted_out')).toMatchObject({
      before: { status: 'opted_in', note: 'Signed at the counter.' },
      after: { status: 'opted_out', source: 'account', note: null },
    });
    // Users can revoke what they have recorded themselves.
    expect((await byAccount('opted_in')).after.status).toBe('opted_in');
  });

  it.each(['opted_in', 'pending'] as const)('requires a note to change a keyword opt-out to %s', async (status) => {
    await record('opted_out', 'keyword_stop');
    const refused = { code: 'STATE_CONFLICT', message: expect.stringContaining('note') };
    await expect(byAccount(status)).rejects.toMatchObject(refused);
    expect(await stored()).toMatchObject([{ status: 'opted_out', source: 'keyword_stop' }]);
    expect((await byAccount('opted_out')).after.source).toBe('account');
    await record('opted_out', 'keyword_stop');
    expect((await byAccount(status, 'Asked for it on the telephone.')).after.status).toBe(status);
  });
});

describe('a declared consent', () => {
  it('changes nothing when it is applied again', async () => {
    await declare('opted_in');
    const before = await stored();
    await declare('opted_in');
    expect(await stored()).toEqual(before);
    expect(await publishedConsents()).toHaveLength(1);
    expect((await declare('opted_out')).status).toBe('opted_out');
  });

  it('does not change a keyword opt-out', async () => {
    await declare('opted_in');
    await record('opted_out', 'keyword_stop');
    expect(await declare('opted_in')).toMatchObject({ status: 'opted_out', source: 'keyword_stop' });
    expect(await stored()).toMatchObject([{ status: 'opted_out', source: 'keyword_stop' }]);
  });
});

describe('the list of consents', () => {
  it('is sorted by number, with pagination and filters, and contains no consents of another organization', async () => {
    for (const [number, status] of [
      ['+15550100002', 'opted_in'],
      ['+15550100001', 'opted_out'],
      ['+15550100003', 'opted_in'],
    ] as const) {
      await write((t) => consents.record(t, organizationId, { number, status, source: 'api' }, null));
    }
    await record('opted_in', 'api', newId());
    const numbersOf = async (filter: object, limit = 10, after: string | null = null) => {
      const page = await consents.listPage(dataSource.manager, organizationId, { limit, after }, filter);
      return [page.items.map(({ number }) => number.slice(-1)), page.next];
    };
    expect(await numbersOf({})).toEqual([['1', '2', '3'], null]);
    expect(await numbersOf({}, 2)).toEqual([['1', '2'], '+15550100002']);
    expect(await numbersOf({}, 2, '+15550100002')).toEqual([['3'], null]);
    expect(await numbersOf({ status: 'opted_in' }, 1)).toEqual([['2'], '+15550100002']);
    expect(await numbersOf({ number: '+15550100003' })).toEqual([['3'], null]);
  });
});
