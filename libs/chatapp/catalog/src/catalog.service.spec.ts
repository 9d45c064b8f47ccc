import { createDataSource, databaseConfigSchema, newId } from '@heliograph/database';
import { messagingMigrations } from '@heliograph/messaging';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import type { DataSource, EntityManager } from 'typeorm';
import { ChatappCatalogService, type AllowanceDetails, type PriceDetails } from './catalog.service';
import { chatappCatalogEntities, chatappCatalogMigrations } from './migration-set';
import { ChatappSending } from './sending';

let database: TestDatabase;
let dataSource: DataSource;
let catalog: ChatappCatalogService;
beforeAll(async () => {
  database = await createTestDatabase([messagingMigrations, chatappCatalogMigrations]);
  const config = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 4 });
  dataSource = await createDataSource(config, 'chatapp catalog spec', chatappCatalogEntities).initialize();
  catalog = new ChatappCatalogService();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const write = <T>(work: (transaction: EntityManager) => Promise<T>): Promise<T> => dataSource.transaction(work);
const PAGE = { limit: 10, after: null };
const FUTURE = new Date('2100-01-01T00:00:00Z');
const LATER = new Date('2100-02-01T00:00:00Z');
const INDIA: PriceDetails = { country: 'IN', category: 'marketing', baseCost: 70, markup: 9, currency: 'INR' };
const SERVICE: AllowanceDetails = { category: 'service', isFree: true, monthlyLimit: 500 };

const price = (details: Partial<PriceDetails> = {}) => write((t) => catalog.createPrice(t, { ...INDIA, ...details }));
const allowance = (details: Partial<AllowanceDetails> = {}) =>
  write((t) => catalog.createAllowance(t, { ...SERVICE, ...details }));
const ruleOfAll = async (table: 'prices' | 'allowances'): Promise<string> => {
  const [row] = await database.query<{ id: string }>(
    `SELECT id FROM chatapp.${table} WHERE valid_from = 'epoch' LIMIT 1`,
  );
  return row!.id;
};

describe('a price', () => {
  it('is valid immediately by default', async () => {
    const before = new Date();
    const made = await price({ country: 'FR' });
    expect(made).toMatchObject({ ...INDIA, country: 'FR' });
    expect(made.validFrom.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(made.validFrom.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('is unique by country, category and start time', async () => {
    await price({ country: 'DE', validFrom: FUTURE });
    await price({ country: 'DE', validFrom: FUTURE, category: 'utility' });
    await price({ country: 'DE', validFrom: LATER });
    await expect(price({ country: 'DE', validFrom: FUTURE })).rejects.toMatchObject({ code: 'NAME_TAKEN' });
  });

  it('is rejected with a start in the past, because earlier messages have been charged', async () => {
    const validFrom = new Date(Date.now() - 1_000);
    await expect(price({ validFrom })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(/^validFrom: must not be in the past/),
    });
  });

  it('can be changed and deleted before it becomes valid', async () => {
    const { id } = await price({ country: 'ES', validFrom: FUTURE });
    const { before, after } = await write((t) => catalog.changePrice(t, id, { baseCost: 1, validFrom: LATER }));
    expect(before).toMatchObject({ baseCost: 70, markup: 9, validFrom: FUTURE });
    expect(after).toMatchObject({ baseCost: 1, markup: 9, validFrom: LATER });
    const validFrom = new Date(0);
    await expect(write((t) => catalog.changePrice(t, id, { validFrom }))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    expect((await write((t) => catalog.removePrice(t, id))).id).toBe(id);
    await expect(write((t) => catalog.removePrice(t, id))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('cannot be changed once it is valid, including the default price', async () => {
    const { id } = await price({ country: 'IT' });
    for (const held of [id, await ruleOfAll('prices')]) {
      const refused = { code: 'STATE_CONFLICT', message: expect.stringContaining('Add another rule') };
      await expect(write((t) => catalog.changePrice(t, held, { markup: 1 }))).rejects.toMatchObject(refused);
      await expect(write((t) => catalog.removePrice(t, held))).rejects.toMatchObject(refused);
    }
  });

  it.each([
    [{ country: 'in' }, 'country'],
    [{ country: 'XX' }, 'country'],
    [{ country: '' }, 'country'],
    [{ category: 'other' as never }, 'category'],
    [{ baseCost: -1 }, 'baseCost'],
    [{ baseCost: 0.5 }, 'baseCost'],
    [{ markup: 1_000_000_001 }, 'markup'],
    [{ markup: Number.NaN }, 'markup'],
    [{ currency: 'inr' }, 'currency'],
    [{ currency: 'QQQ' }, 'currency'],
  ])('is rejected with %j', async (details, field) => {
    await expect(price(details)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(new RegExp(`^${field}: must be `)),
    });
  });

  it('is listed by country and category, with pagination', async () => {
    for (const category of ['marketing', 'service', 'utility'] as const) await price({ country: 'JP', category });
    const list = (filter: object, page = PAGE) => catalog.listPrices(dataSource.manager, page, filter);
    const first = await list({ country: 'JP' }, { ...PAGE, limit: 2 });
    expect(first.items.map(({ category }) => category)).toEqual(['marketing', 'service']);
    const second = await list({ country: 'JP' }, { limit: 2, after: first.next as never });
    expect(second).toMatchObject({ items: [{ category: 'utility' }], next: null });
    expect((await list({ country: 'JP', category: 'service' })).items).toHaveLength(1);
    expect((await list({ country: '*' })).items).toHaveLength(4);
  });
});

describe('a declared price', () => {
  it('is valid from the beginning by default, and is updated in place', async () => {
    const declared = { ...INDIA, country: 'BR' };
    const made = await catalog.putPrice(dataSource.manager, declared);
    expect(made.validFrom).toEqual(new Date(0));
    const changed = await catalog.putPrice(dataSource.manager, { ...declared, baseCost: 5 });
    expect(changed).toMatchObject({ id: made.id, baseCost: 5, markup: 9 });
    expect((await catalog.putPrice(dataSource.manager, { ...declared, validFrom: FUTURE })).id).not.toBe(made.id);
    await expect(catalog.putPrice(dataSource.manager, { ...declared, currency: 'x' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('replaces the existing default price', async () => {
    const before = await database.query(`SELECT id FROM chatapp.prices WHERE country = '*' ORDER BY id`);
    const put = await catalog.putPrice(dataSource.manager, { ...INDIA, country: '*', category: 'service' });
    expect(await database.query(`SELECT id FROM chatapp.prices WHERE country = '*' ORDER BY id`)).toEqual(before);
    expect(before).toContainEqual({ id: put.id });
  });
});

describe('an allowance', () => {
  it('is created, changed and deleted like a price', async () => {
    const { id } = await allowance({ validFrom: FUTURE });
    await expect(allowance({ validFrom: FUTURE })).rejects.toMatchObject({ code: 'NAME_TAKEN' });
    const { after } = await write((t) => catalog.changeAllowance(t, id, { monthlyLimit: null, isFree: false }));
    expect(after).toMatchObject({ category: 'service', isFree: false, monthlyLimit: null, validFrom: FUTURE });
    await write((t) => catalog.removeAllowance(t, id));
    const held = await ruleOfAll('allowances');
    const refused = { code: 'STATE_CONFLICT' };
    await expect(write((t) => catalog.changeAllowance(t, held, { isFree: false }))).rejects.toMatchObject(refused);
    await expect(write((t) => catalog.removeAllowance(t, held))).rejects.toMatchObject(refused);
    await expect(write((t) => catalog.removeAllowance(t, newId()))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is listed by category', async () => {
    const { items } = await catalog.listAllowances(dataSource.manager, PAGE, { category: 'utility' });
    expect(items).toMatchObject([{ category: 'utility', isFree: true, monthlyLimit: null }]);
  });

  it.each([-1, 1.5, 2_000_000_001])('is rejected with the limit %j', async (monthlyLimit) => {
    await expect(allowance({ monthlyLimit })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(/^monthlyLimit: must be /),
    });
  });
});

describe("the operator's switch", () => {
  it('can be turned off, turned on and removed, and returns its previous state', async () => {
    const sending = new ChatappSending();
    const set = (isEnabled: boolean | null) => write((t) => sending.set(t, isEnabled));
    expect(await sending.get(dataSource.manager)).toBeNull();
    expect(await set(false)).toMatchObject({ before: null, after: { isEnabled: false } });
    expect(await set(true)).toMatchObject({ before: { isEnabled: false }, after: { isEnabled: true } });
    expect(await set(null)).toMatchObject({ before: { isEnabled: true }, after: null });
    expect(await set(null)).toEqual({ before: null, after: null });
  });
});

describe('the templates of an organization', () => {
  it('contain its own and shared templates, with pagination, and no templates of another organization', async () => {
    const organizationId = newId();
    const accountId = newId();
    const ids = [newId(), newId(), newId(), newId()];
    for (const [index, owner] of [organizationId, null, newId(), organizationId].entries()) {
      await database.query(
        `INSERT INTO chatapp.templates
           (id, account_id, organization_id, name, language, category, status, components, upstream_id)
         VALUES ($1, $2, $3, $4, 'en', 'utility', $5, '[]', 'u')`,
        [ids[index], accountId, owner, `t${index}`, index === 3 ? 'PENDING' : 'APPROVED'],
      );
    }
    const namesOf = async (filter: { status?: string }, limit = 10, after: string | null = null) => {
      const page = await catalog.listTemplates(dataSource.manager, organizationId, { limit, after }, filter);
      return [page.items.map(({ name }) => name), page.next];
    };
    expect(await namesOf({})).toEqual([['t0', 't1', 't3'], null]);
    expect(await namesOf({}, 2)).toEqual([['t0', 't1'], ids[1]]);
    expect(await namesOf({}, 2, ids[1]!)).toEqual([['t3'], null]);
    expect(await namesOf({ status: 'PENDING' })).toEqual([['t3'], null]);
    await expect(namesOf({}, 2, 'x')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
