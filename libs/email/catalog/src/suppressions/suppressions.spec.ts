import { createDataSource, databaseConfigSchema, newId, poolOf } from '@heliograph/database';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import type { DataSource, EntityManager } from 'typeorm';
import { emailCatalogEntities, emailCatalogMigrations } from '../migration-set';
import { SUPPRESSION_REASONS, type SuppressionReason } from './suppression.entity';
import { Suppressions } from './suppressions';
import { EVERY_SCOPE, MARKETING } from './unsubscribe-scope';

let database: TestDatabase;
let dataSource: DataSource;
const suppressions = new Suppressions();
/** A new organization for each test. */
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
const suppress = (address: string, reason: SuppressionReason, messageId: string | null = null, scope = EVERY_SCOPE) =>
  suppressions.suppress(poolOf(dataSource), [{ organizationId, address, scope, reason, messageId }]);
const stored = async (of = organizationId) => {
  const { items } = await suppressions.list(dataSource.manager, of, { limit: 1_000, after: null });
  return items.map(({ addressKey, scope, reason }) => [addressKey, scope, reason]);
};
const one = (address: string, scope = EVERY_SCOPE) =>
  suppressions.one(dataSource.manager, organizationId, address, scope);
const remove = (address: string, of = organizationId, scope?: string) =>
  write((t) => suppressions.remove(t, of, address, scope));
const list = (filter = {}, page: { limit: number; after: string | null } = { limit: 10, after: null }) =>
  suppressions.list(dataSource.manager, organizationId, page, filter);

describe('a suppressed address', () => {
  it('is found in any case, only by its own organization', async () => {
    await suppress('Gone@elsewhere.example', 'bounced', newId());
    expect(await one('GONE@elsewhere.example')).toMatchObject({ address: 'Gone@elsewhere.example', reason: 'bounced' });
    await expect(one('there@elsewhere.example')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await stored(newId())).toEqual([]);
  });

  it('row 27: has one suppression for each scope, each with its own reason', async () => {
    await suppress('a@x.example', 'unsubscribed', null, 'news');
    await suppress('a@x.example', 'unsubscribed', null, MARKETING);
    await suppress('a@x.example', 'manual', null, MARKETING);
    await suppress('a@x.example', 'bounced');
    expect(await stored()).toEqual([
      ['a@x.example', 'all', 'bounced'],
      ['a@x.example', 'marketing', 'unsubscribed'],
      ['a@x.example', 'news', 'unsubscribed'],
    ]);
  });

  it('row 27: is removed by its scope, which is required only for an address with several', async () => {
    await suppress('a@x.example', 'unsubscribed', null, 'news');
    await suppress('a@x.example', 'unsubscribed', null, MARKETING);
    await expect(remove('a@x.example')).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      message: expect.stringContaining('marketing, news') as string,
    });
    await expect(remove('a@x.example', organizationId, 'sales')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await remove('a@x.example', organizationId, 'news')).scope).toBe('news');
    expect((await remove('a@x.example')).scope).toBe(MARKETING);
    expect(await stored()).toEqual([]);
  });

  it.each(['transactional', '', 'News', 'a b', '-a', 'x'.repeat(64)])(
    'row 27: cannot be added with the scope %j',
    async (scope) => {
      const adding = write((t) =>
        suppressions.add(t, organizationId, { address: 'a@x.example', scope, reason: 'manual' }),
      );
      await expect(adding).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        message: expect.stringMatching(/^scope: /) as string,
      });
    },
  );

  it('does not change if it is suppressed again for the same reason', async () => {
    await suppress('a@x.example', 'bounced', newId());
    const before = await one('a@x.example');
    await suppress('A@x.example', 'bounced', newId());
    expect(await one('a@x.example')).toEqual(before);
  });

  it.each(SUPPRESSION_REASONS.flatMap((first) => SUPPRESSION_REASONS.map((second) => [first, second] as const)))(
    'has the reason of higher priority of %s and then %s',
    async (first, second) => {
      await suppress('a@x.example', first);
      await suppress('a@x.example', second);
      const stronger = Math.max(SUPPRESSION_REASONS.indexOf(first), SUPPRESSION_REASONS.indexOf(second));
      expect((await one('a@x.example')).reason).toBe(SUPPRESSION_REASONS[stronger]);
    },
  );

  it('can occur twice in one call, and the reason with the higher priority is used', async () => {
    const messageId = newId();
    const every = { organizationId, scope: EVERY_SCOPE };
    await suppressions.suppress(poolOf(dataSource), [
      { ...every, address: 'a@x.example', reason: 'bounced', messageId: newId() },
      { ...every, address: 'A@x.example', reason: 'complained', messageId },
      { ...every, address: 'a@x.example', reason: 'unsubscribed', messageId: null },
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
            organizationId,
            address,
            scope: EVERY_SCOPE,
            reason: SUPPRESSION_REASONS[index % 4]!,
            messageId: null,
          })),
        ),
      ),
    );
    expect(await stored()).toEqual(addresses.toSorted().map((address) => [address, 'all', 'complained']));
  });

  it('can be added by its organization, with the domain in A-labels', async () => {
    const add = (address: string) =>
      write((t) => suppressions.add(t, organizationId, { address, scope: EVERY_SCOPE, reason: 'manual' }));
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
    await suppress('b@x.example', 'unsubscribed', null, 'news');
    await suppress('b@x.example', 'unsubscribed', null, MARKETING);
    const scopes = (page: Awaited<ReturnType<typeof list>>) => page.items.map(({ scope }) => scope);
    const ofOne = await list({ address: 'b@x.example' }, { limit: 2, after: null });
    expect(scopes(ofOne)).toEqual(['all', 'marketing']);
    expect(scopes(await list({ address: 'b@x.example' }, { limit: 2, after: ofOne.next }))).toEqual(['news']);
    expect(addresses(await list({}, { limit: 2, after: ofOne.next }))).toEqual(['b@x.example', 'c@x.example']);
    expect(scopes(await list({ scope: 'news' }))).toEqual(['news']);
  });

  it.each(['manual', 'bounced', 'unsubscribed'] as const)('can be removed if the reason is %s', async (reason) => {
    await suppress('a@x.example', reason);
    await expect(remove('a@x.example', newId())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await remove('A@x.example')).reason).toBe(reason);
    expect(await stored()).toEqual([]);
    await expect(remove('a@x.example')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('cannot be removed after a complaint', async () => {
    await suppress('a@x.example', 'complained');
    await expect(remove('a@x.example')).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    expect(await stored()).toEqual([['a@x.example', 'all', 'complained']]);
  });
});
