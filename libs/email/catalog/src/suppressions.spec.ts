import { createDataSource, databaseConfigSchema, newId, poolOf } from '@heliograph/database';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import type { DataSource, EntityManager } from 'typeorm';
import { emailCatalogEntities, emailCatalogMigrations } from './migration-set';
import { SUPPRESSION_REASONS, type SuppressionReason } from './suppression.entity';
import { Suppressions } from './suppressions';

let database: TestDatabase;
let dataSource: DataSource;
const suppressions = new Suppressions();
/** Another one for every test. */
let organizationId: string;

beforeAll(async () => {
  database = await createTestDatabase([emailCatalogMigrations]);
  const settings = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 8 });
  dataSource = await createDataSource(settings, 'suppressions spec', emailCatalogEntities).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});
beforeEach(() => {
  organizationId = newId();
});

const write = <T>(work: (transaction: EntityManager) => Promise<T>): Promise<T> => dataSource.transaction(work);
const suppress = (address: string, reason: SuppressionReason, messageId: string | null = null) =>
  suppressions.suppress(poolOf(dataSource), [{ organizationId, address, reason, messageId }]);
const among = (addresses: string[], of = organizationId) => suppressions.among(poolOf(dataSource), of, addresses);
const one = (address: string) => suppressions.one(dataSource.manager, organizationId, address);
const remove = (address: string, of = organizationId) => write((t) => suppressions.remove(t, of, address));
const list = (filter = {}, page: { limit: number; after: string | null } = { limit: 10, after: null }) =>
  suppressions.list(dataSource.manager, organizationId, page, filter);

describe('a suppressed address', () => {
  it('is found among others, ignoring case, only by its own organization', async () => {
    await suppress('Gone@elsewhere.example', 'bounced', newId());
    const asked = ['GONE@elsewhere.example', 'there@elsewhere.example'];
    expect(await among(asked)).toEqual(new Map([['gone@elsewhere.example', 'bounced']]));
    expect(await among(asked, newId())).toEqual(new Map());
    expect(await among([])).toEqual(new Map());
  });

  it('does not change if it is suppressed again for the same reason', async () => {
    await suppress('a@x.example', 'bounced', newId());
    const before = await one('a@x.example');
    await suppress('A@x.example', 'bounced', newId());
    expect(await one('a@x.example')).toEqual(before);
  });

  it.each(SUPPRESSION_REASONS.flatMap((first) => SUPPRESSION_REASONS.map((second) => [first, second] as const)))(
    'has the stronger reason of %s and then %s',
    async (first, second) => {
      await suppress('a@x.example', first);
      await suppress('a@x.example', second);
      const stronger = Math.max(SUPPRESSION_REASONS.indexOf(first), SUPPRESSION_REASONS.indexOf(second));
      expect((await one('a@x.example')).reason).toBe(SUPPRESSION_REASONS[stronger]);
    },
  );

  it('can be in one call twice; the reason with the higher priority wins', async () => {
    const messageId = newId();
    await suppressions.suppress(poolOf(dataSource), [
      { organizationId, address: 'a@x.example', reason: 'bounced', messageId: newId() },
      { organizationId, address: 'A@x.example', reason: 'complained', messageId },
      { organizationId, address: 'a@x.example', reason: 'unsubscribed', messageId: null },
    ]);
    expect(await one('a@x.example')).toMatchObject({ reason: 'complained', messageId, address: 'A@x.example' });
  });

  it('is written by concurrent calls in any order without deadlocks', async () => {
    const addresses = Array.from({ length: 200 }, (_, index) => `a${index}@x.example`);
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        suppressions.suppress(
          poolOf(dataSource),
          (index % 2 === 0 ? addresses : addresses.toReversed()).map((address) => ({
            ...{ organizationId, address, reason: SUPPRESSION_REASONS[index % 4]!, messageId: null },
          })),
        ),
      ),
    );
    expect([...new Set((await among(addresses)).values())]).toEqual(['complained']);
  });

  it('can be added by its organization, with the domain in A-labels', async () => {
    const add = (address: string) => write((t) => suppressions.add(t, organizationId, { address, reason: 'manual' }));
    expect(await add('ann@Bücher.example')).toMatchObject({ address: 'ann@xn--bcher-kva.example', reason: 'manual' });
    expect((await one('ann@bücher.example')).addressKey).toBe('ann@xn--bcher-kva.example');
    await expect(add('Ann <ann@x.example>')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('is listed with pagination and by address and reason', async () => {
    await suppress('b@x.example', 'bounced');
    await suppress('a@x.example', 'complained');
    await suppress('c@x.example', 'bounced');
    const addresses = (page: Awaited<ReturnType<typeof list>>) => page.items.map(({ address }) => address);
    const first = await list({}, { limit: 2, after: null });
    expect(addresses(first)).toEqual(['a@x.example', 'b@x.example']);
    const second = await list({}, { limit: 2, after: first.next });
    expect([addresses(second), second.next]).toEqual([['c@x.example'], null]);
    expect(addresses(await list({ reason: 'bounced' }))).toEqual(['b@x.example', 'c@x.example']);
    expect(addresses(await list({ address: 'B@x.example' }))).toEqual(['b@x.example']);
    expect(addresses(await list({ address: 'B@x.example', reason: 'manual' }))).toEqual([]);
    expect(addresses(await list({ address: 'nonsense' }))).toEqual([]);
  });

  it.each(['manual', 'bounced', 'unsubscribed'] as const)('can be removed if the reason is %s', async (reason) => {
    await suppress('a@x.example', reason);
    await expect(remove('a@x.example', newId())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await remove('A@x.example')).reason).toBe(reason);
    expect(await among(['a@x.example'])).toEqual(new Map());
    await expect(remove('a@x.example')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('cannot be removed after a complaint', async () => {
    await suppress('a@x.example', 'complained');
    await expect(remove('a@x.example')).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    expect(await among(['a@x.example'])).toEqual(new Map([['a@x.example', 'complained']]));
  });
});
