import { createTestDatabase, TcpProxy, testServers, until, type TestDatabase } from '@heliograph/testing';
import { CachedLookup } from './cached-lookup';
import { ChangeFeed, notifyChanges } from './change-feed';

const ONE = '01890000-0000-7000-8000-000000000001';
const TWO = '01890000-0000-7000-8000-000000000002';

/** Much shorter than the 30 seconds for which an entry is valid while the change feed is connected. */
const HEARD_MS = 10_000;

describe('a cached lookup', () => {
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
    await until('the change feed is live', () => feed.live);
  });
  afterEach(async () => {
    await feed.stop();
    await proxy.stop();
  });

  const rename = (id: string, name: string) =>
    database.query('UPDATE test.names SET name = $2 WHERE organization_id = $1', [id, name]);

  it('loads once and caches the result, including a missing one', async () => {
    const unknown = '01890000-0000-7000-8000-000000000009';
    for (let i = 0; i < 3; i++) {
      expect(await lookup.get(ONE)).toBe('one');
      expect(await lookup.get(unknown)).toBeNull();
    }
    expect(loads).toEqual([ONE, unknown]);
  });

  it('shares one load between concurrent lookups', async () => {
    expect(await Promise.all(Array.from({ length: 20 }, () => lookup.get(ONE)))).toEqual(Array(20).fill('one'));
    expect(loads).toEqual([ONE]);
  });

  it('does not cache a value that the owner of the cache excludes, also while a change has not been reported', async () => {
    const approved = new CachedLookup<string | null>(feed, {
      tables: ['test.names'],
      organizationOf: (id) => id,
      load: async (id) => {
        const sql = 'SELECT name FROM test.names WHERE organization_id = $1';
        return (await database.query<{ name: string }>(sql, [id]))[0]?.name ?? null;
      },
      isCached: (name) => name === 'approved',
    });
    await database.query('ALTER TABLE test.names DISABLE TRIGGER USER');
    try {
      expect(await approved.get(ONE)).toBe('one');
      await rename(ONE, 'approved');
      expect(await approved.get(ONE)).toBe('approved');
      await rename(ONE, 'rejected');
      expect(await approved.get(ONE)).toBe('approved');
    } finally {
      await database.query('ALTER TABLE test.names ENABLE TRIGGER USER');
    }
  });

  it('does not cache a failed load', async () => {
    let fails = true;
    const failing = new CachedLookup<string>(feed, {
      tables: [],
      load: () => (fails ? Promise.reject(new Error('unavailable')) : Promise.resolve('there')),
    });
    await expect(failing.get('x')).rejects.toThrow('unavailable');
    fails = false;
    expect(await failing.get('x')).toBe('there');
  });

  it.each([
    ['an update', () => rename(ONE, 'changed'), 'changed'],
    ['a deletion', () => database.query('DELETE FROM test.names WHERE organization_id = $1', [ONE]), null],
  ])('reflects %s immediately', async (_what, change, expected) => {
    expect(await lookup.get(ONE)).toBe('one');
    await change();
    await until('the value is cached', async () => (await lookup.get(ONE)) === expected, { timeoutMs: HEARD_MS });
  });

  it('reflects an insertion of a value that was missing', async () => {
    await database.query('DELETE FROM test.names WHERE organization_id = $1', [ONE]);
    await until('the value is missing', async () => (await lookup.get(ONE)) === null);
    await database.query(`INSERT INTO test.names VALUES ($1, 'new')`, [ONE]);
    await until('the value is cached', async () => (await lookup.get(ONE)) === 'new', { timeoutMs: HEARD_MS });
  });

  it('reflects an insertion of a value that belonged to no organization while it was missing', async () => {
    const byName = new CachedLookup<string | null>(feed, {
      tables: ['test.names'],
      organizationOf: (_name, organizationId) => organizationId,
      load: async (name) => {
        const rows = await database.query<{ id: string }>(
          'SELECT organization_id AS id FROM test.names WHERE name = $1',
          [name],
        );
        return rows[0]?.id ?? null;
      },
    });
    expect(await byName.get('new')).toBeNull();
    await rename(ONE, 'new');
    await until('the value is cached', async () => (await byName.get('new')) === ONE, { timeoutMs: HEARD_MS });
  });

  it('removes only the entries of the organization that changed', async () => {
    await Promise.all([lookup.get(ONE), lookup.get(TWO)]);
    await rename(ONE, 'changed');
    await until('the value is cached', async () => (await lookup.get(ONE)) === 'changed', { timeoutMs: HEARD_MS });
    await lookup.get(TWO);
    expect(loads.filter((id) => id === TWO)).toHaveLength(1);
  });

  it('ignores changes of other tables', async () => {
    await lookup.get(ONE);
    let notifications = 0;
    feed.subscribe(() => notifications++);
    await database.query('INSERT INTO test.rates VALUES (1)');
    await until('the change feed reported the change', () => notifications > 0);
    await lookup.get(ONE);
    expect(loads).toEqual([ONE]);
  });

  it('removes all entries on a change without an organization', async () => {
    let loaded = 0;
    const rates = new CachedLookup<number>(feed, { tables: ['test.rates'], load: () => Promise.resolve(++loaded) });
    expect(await rates.get('')).toBe(1);
    await database.query('INSERT INTO test.rates VALUES (2)');
    await until('the value is loaded again', async () => (await rates.get('')) === 2, { timeoutMs: HEARD_MS });
  });

  it('does not cache a value that changed during the load', async () => {
    let answer = (_value: string): void => undefined;
    const slow = new CachedLookup<string>(feed, {
      tables: ['test.names'],
      organizationOf: () => ONE,
      load: () => new Promise((resolve) => (answer = resolve)),
    });
    let notifications = 0;
    feed.subscribe(() => notifications++);
    const early = slow.get(ONE);
    await rename(ONE, 'changed');
    await until('the change feed reported the change', () => notifications > 0);
    answer('old');
    expect(await early).toBe('old');
    const late = slow.get(ONE);
    answer('new');
    expect(await late).toBe('new');
  });

  it('caches entries for only one second while the feed is disconnected, and removes all when it reconnects', async () => {
    expect(await lookup.get(ONE)).toBe('one');
    proxy.cut();
    await until('the disconnection is detected', () => !feed.live);
    await rename(ONE, 'unheard');
    await until('the value is loaded without the feed', async () => (await lookup.get(ONE)) === 'unheard', {
      timeoutMs: HEARD_MS,
    });
    const before = loads.length;
    proxy.heal();
    await until('the change feed is live again', () => feed.live);
    await lookup.get(ONE);
    expect(loads.length).toBe(before + 1);
  });
});
