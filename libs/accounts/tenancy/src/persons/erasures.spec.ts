import { ERASING_SERVICES } from '@heliograph/contracts';
import { ChangeFeed, createDataSource, databaseConfigSchema, newId, poolOf } from '@heliograph/database';
import { messagingMigrations, requeueJobs } from '@heliograph/messaging';
import { createTestDatabase, until, type TestDatabase } from '@heliograph/testing';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { ErasedPersons } from './erased-persons';
import { Erasures, type BlockedChannel, type ErasedPerson } from './erasures';
import { personsMigrations } from './migration-set';
import type { PersonAddress } from './person-hash';

const KEY = 'k'.repeat(32);
const NEW_KEY = 'n'.repeat(32);
const ANN: PersonAddress = { kind: 'email', value: 'ann@example.com' };

describe('an erasure', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let pool: Pool;
  let feed: ChangeFeed;
  let erasures: Erasures;
  let organizationId: string;
  beforeAll(async () => {
    database = await createTestDatabase([messagingMigrations, personsMigrations]);
    const settings = databaseConfigSchema.parse({ DATABASE_URL: database.url });
    dataSource = await createDataSource(settings, 'persons', []).initialize();
    pool = poolOf(dataSource);
    feed = new ChangeFeed({ connectionString: database.url });
    feed.start();
    await until('the change feed is live', () => feed.live);
    erasures = new Erasures(pool, { PERSON_HASH_KEYS: [KEY] });
  });
  beforeEach(() => {
    organizationId = newId();
  });
  afterAll(async () => {
    await feed.stop();
    await dataSource.destroy();
    await database.drop();
  });

  const request = () => dataSource.transaction((t) => erasures.request(t, organizationId, ANN, null));
  const rowOf = async (id: string) =>
    (await pool.query<{ value: string | null }>('SELECT value FROM persons.erasures WHERE id = $1', [id])).rows[0]!;

  it('is executed once by every service, and then only the hash remains', async () => {
    const { id } = await request();
    const erased: ErasedPerson[] = [];
    for (const service of [...ERASING_SERVICES, ...ERASING_SERVICES]) {
      const { value } = await rowOf(id);
      expect(value === null).toBe(erased.length >= ERASING_SERVICES.length);
      expect(value ?? '').not.toContain('ann');
      await erasures.run(service, id, async (person) => void erased.push(person));
    }
    expect(erased).toHaveLength(ERASING_SERVICES.length);
    expect(erased[0]).toEqual({
      organizationId,
      erasureId: id,
      requestedAt: expect.any(Date) as Date,
      ...ANN,
      mask: expect.stringMatching(/^erased:[0-9a-f]{32}$/) as string,
    });
    expect(await erasures.read(organizationId, id)).toMatchObject({
      pending: [],
      finishedAt: expect.any(Date) as Date,
    });
    const { rows } = await pool.query('SELECT payload::text FROM messaging.outbox');
    expect(JSON.stringify(rows)).not.toContain(ANN.value);
  });

  it('is pending for a service whose step fails, and for all services when it is requested again', async () => {
    const { id } = await request();
    const failing = erasures.run('sms-api', id, () => Promise.reject(new Error('down')));
    await expect(failing).rejects.toThrow('down');
    expect((await erasures.read(organizationId, id)).pending).toContain('sms-api');
    // A step that started before the request was repeated may have missed data that was stored afterwards.
    await erasures.run('sms-api', id, async () => void (await request()));
    expect((await erasures.read(organizationId, id)).pending).toEqual([...ERASING_SERVICES]);
    expect((await request()).id).toBe(id);
  });

  it('is requested again from the services that have not finished, if the broker lost the requests', async () => {
    const { id } = await request();
    await erasures.run('sms-api', id, () => Promise.resolve());
    await pool.query('DELETE FROM messaging.outbox');
    const requeue = () =>
      requeueJobs(pool, 'erasures', { from: null, olderThanMs: 0, started: new Date(), most: 1_000 });
    const before = await requeue();
    expect(before.oldestAt).not.toBeNull();
    const queuesOf = async () => {
      const { rows } = await pool.query<{ queue: string }>(
        `SELECT queue FROM messaging.outbox WHERE payload->'data'->>'erasureId' = $1 ORDER BY 1`,
        [id],
      );
      return rows.map(({ queue }) => queue);
    };
    const open = ERASING_SERVICES.filter((service) => service !== 'sms-api').map((service) => `${service}.erasure`);
    expect(await queuesOf()).toEqual(open.sort());
    // Requests that wait in the outbox are not lost.
    await requeue();
    expect(await queuesOf()).toEqual(open.sort());
  });

  it('masks the person in what existed before, also with a newer key', async () => {
    const persons = new ErasedPersons(pool, feed, { PERSON_HASH_KEYS: [NEW_KEY, KEY] });
    const before = new Date();
    const maskOf = (owner = organizationId, person = ANN) => persons.maskOf(owner, person, before);
    expect(await maskOf()).toBeNull();
    await request();
    await until('the person is recognized as erased', async () => (await maskOf()) !== null);
    expect(await persons.maskOf(organizationId, ANN, new Date(Date.now() + 1_000))).toBeNull();
    expect(await maskOf(organizationId, { ...ANN, value: 'bob@example.com' })).toBeNull();
    expect(await maskOf(newId())).toBeNull();
    const withoutKey = new ErasedPersons(pool, feed, { PERSON_HASH_KEYS: [] });
    expect(await withoutKey.maskOf(organizationId, ANN, before)).toBeNull();
  });

  it('blocks only the channels of earlier opt-outs, until the person opts in again', async () => {
    const persons = new ErasedPersons(pool, feed, { PERSON_HASH_KEYS: [KEY] });
    const isBlocked = async (channel: BlockedChannel) =>
      (await persons.blockedMaskOf(organizationId, ANN, channel)) !== null;
    const bob: PersonAddress = { kind: 'email', value: 'bob@example.com' };
    await request();
    const { id } = await dataSource.transaction((t) => erasures.request(t, organizationId, bob, null, ['email']));
    await until('the other erasure is known', async () => persons.blockedMaskOf(organizationId, bob, 'email'));
    expect([await isBlocked('email'), await isBlocked('sms')]).toEqual([false, false]);

    const { id: own } = await request();
    await dataSource.transaction((t) => erasures.block(t, own, ['email']));
    await until('the person is blocked', () => isBlocked('email'));
    await request();
    expect([await isBlocked('email'), await isBlocked('sms')]).toEqual([true, false]);
    await dataSource.transaction((t) => erasures.unblock(t, organizationId, ANN, 'sms'));
    await dataSource.transaction((t) => erasures.unblock(t, organizationId, ANN, 'email'));
    await until('the person is not blocked', async () => !(await isBlocked('email')));
    expect(await persons.blockedMaskOf(organizationId, bob, 'email')).not.toBeNull();
    expect(id).not.toBe(own);
  });

  it('decrypts the address after a newer key is added, and names the variable if the key is missing', async () => {
    const { id } = await request();
    const erased: ErasedPerson[] = [];
    const run = (...keys: string[]) =>
      new Erasures(pool, { PERSON_HASH_KEYS: keys }).run('sms-api', id, async (person) => void erased.push(person));
    await expect(run(NEW_KEY)).rejects.toThrow('PERSON_HASH_KEYS has no key');
    await expect(run()).rejects.toThrow('PERSON_HASH_KEYS is not set');
    await run(NEW_KEY, KEY);
    expect(erased.map(({ value }) => value)).toEqual([ANN.value]);
  });

  it('is rejected without a key, and is not found for another organization', async () => {
    const keyless = new Erasures(pool, { PERSON_HASH_KEYS: [] });
    await expect(dataSource.transaction((t) => keyless.request(t, organizationId, ANN, null))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    const { id } = await request();
    await expect(erasures.read(newId(), id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
