import { createTestDatabase, TcpProxy, testServers, until, type TestDatabase } from '@heliograph/testing';
import { CachedLookup } from './cached-lookup';
import { ChangeFeed, notifyChanges } from './change-feed';

const ONE = '01890000-0000-7000-8000-000000000001';
const TWO = '01890000-0000-7000-8000-000000000002';

/** Far below the 30 seconds that an entry of a live feed is trusted for. */
const HEARD_MS = 10_000;

describe('a cached look-up', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let feed: ChangeFeed;
  let loads: string[];
  let lookup: CachedLookup<string | null>;

  beforeAll(async () => {
    database = await createTestDatabase([]);
    await database.query('CREATE SCHEMA test');
    await database.query('CREATE TABLE test.names (organization_id uuid PRIMARY KEY, name text)');
    for (const sql of notifyChanges('test.names', 'organization_id')) await database.query(sql);
    await database.query('CREATE TABLE test.rates (rate integer)');
    for (const sql of notifyChanges('test.rates', null)) await database.query(sql);
  });
  afterAll(() => database.drop());

  beforeEach(async () => {
    await database.query('TRUNCATE test.names');
    await database.query(`INSERT INTO test.names VALUES ($1, 'one'), ($2, 'two')`, [ONE, TWO]);
    proxy = await TcpProxy.start(testServers.databaseUrl);
    feed = new ChangeFeed({ connectionString: proxy.through(database.url) });
    loads = [];
    lookup = new CachedLookup<string | null>(feed, {
      tables: ['test.names'],
      organizationOf: (id) => id,
      load: async (id) => {
        loads.push(id);
        const rows = await database.query<{ name: string }>('SELECT name FROM test.names WHERE organization_id = $1', [
          id,
        ]);
        return rows[0]?.name ?? null;
      },
    });
    await until('the feed is live', () => feed.live);
  });
  afterEach(async () => {
    await feed.stop();
    await proxy.stop();
  });

  const rename = (id: string, name: string) =>
    database.query('UPDATE test.names SET name = $2 WHERE organization_id = $1', [id, name]);

  it('loads once and remembers, an absence too', async () => {
    const unknown = '01890000-0000-7000-8000-000000000009';
    for (let i = 0; i < 3; i++) {
      expect(await lookup.get(ONE)).toBe('one');
      expect(await lookup.get(unknown)).toBeNull();
    }
    expect(loads).toEqual([ONE, unknown]);
  });

  it('shares one load among those who ask at the same time', async () => {
    expect(await Promise.all(Array.from({ length: 20 }, () => lookup.get(ONE)))).toEqual(Array(20).fill('one'));
    expect(loads).toEqual([ONE]);
  });

  it('does not remember a failed load', async () => {
    let fails = true;
    const failing = new CachedLookup<string>(feed, {
      tables: [],
      load: () => (fails ? Promise.reject(new Error('away')) : Promise.resolve('there')),
    });
    await expect(failing.get('x')).rejects.toThrow('away');
    fails = false;
    expect(await failing.get('x')).toBe('there');
  });

  it.each([
    ['an update', () => rename(ONE, 'changed'), 'changed'],
    ['a deletion', () => database.query('DELETE FROM test.names WHERE organization_id = $1', [ONE]), null],
  ])('sees %s at once', async (_what, change, expected) => {
    expect(await lookup.get(ONE)).toBe('one');
    await change();
    await until('it is seen', async () => (await lookup.get(ONE)) === expected, { timeoutMs: HEARD_MS });
  });

  it('sees an insertion of what was absent', async () => {
    await database.query('DELETE FROM test.names WHERE organization_id = $1', [ONE]);
    await until('it is absent', async () => (await lookup.get(ONE)) === null);
    await database.query(`INSERT INTO test.names VALUES ($1, 'new')`, [ONE]);
    await until('it is seen', async () => (await lookup.get(ONE)) === 'new', { timeoutMs: HEARD_MS });
  });

  it('forgets the organization that changed, and no other', async () => {
    await Promise.all([lookup.get(ONE), lookup.get(TWO)]);
    await rename(ONE, 'changed');
    await until('it is seen', async () => (await lookup.get(ONE)) === 'changed', { timeoutMs: HEARD_MS });
    await lookup.get(TWO);
    expect(loads.filter((id) => id === TWO)).toHaveLength(1);
  });

  it('is not concerned by other tables', async () => {
    await lookup.get(ONE);
    let told = 0;
    feed.subscribe(() => told++);
    await database.query('INSERT INTO test.rates VALUES (1)');
    await until('the feed told of it', () => told > 0);
    await lookup.get(ONE);
    expect(loads).toEqual([ONE]);
  });

  it('forgets everything on a change that names no organization', async () => {
    let loaded = 0;
    const rates = new CachedLookup<number>(feed, { tables: ['test.rates'], load: () => Promise.resolve(++loaded) });
    expect(await rates.get('')).toBe(1);
    await database.query('INSERT INTO test.rates VALUES (2)');
    await until('it is read again', async () => (await rates.get('')) === 2, { timeoutMs: HEARD_MS });
  });

  it('does not keep what was read before a change that came while it was read', async () => {
    let answer = (_value: string): void => undefined;
    const slow = new CachedLookup<string>(feed, {
      tables: ['test.names'],
      organizationOf: () => ONE,
      load: () => new Promise((resolve) => (answer = resolve)),
    });
    let told = 0;
    feed.subscribe(() => told++);
    const early = slow.get(ONE);
    await rename(ONE, 'changed');
    await until('the feed told of it', () => told > 0);
    answer('old');
    expect(await early).toBe('old');
    const late = slow.get(ONE);
    answer('new');
    expect(await late).toBe('new');
  });

  it('trusts its entries for a second only while the feed is lost, and forgets all when it is back', async () => {
    expect(await lookup.get(ONE)).toBe('one');
    proxy.cut();
    await until('the loss is noticed', () => !feed.live);
    await rename(ONE, 'unheard');
    await until('it is seen all the same', async () => (await lookup.get(ONE)) === 'unheard', { timeoutMs: HEARD_MS });
    const before = loads.length;
    proxy.heal();
    await until('the feed is live again', () => feed.live);
    await lookup.get(ONE);
    expect(loads.length).toBe(before + 1);
  });
});
