import { defineEvent } from '@heliograph/contracts';
import { ChangeFeed, newId } from '@heliograph/database';
import { createTestDatabase, until, type TestDatabase } from '@heliograph/testing';
import { Pool } from 'pg';
import { z } from 'zod';
import type { Bus, Consumption } from '../bus';
import { LocalBus } from '../local/local-bus';
import { messagingMigrations } from '../migration-set';
import { addToOutbox, composeEvent } from './outbox';
import { DEFAULT_JOB_OPTIONS } from '../jobs/job-feeder';
import { OutboxNotifications } from './outbox-notifications';
import { queryQuietly } from './quiet-query';
import { Relay } from './relay';

const NEVER_MS = 3_600_000;
const silent = { warn: () => undefined };
const job = defineEvent({ type: 'notification.job', version: 1, mandatory: true, schema: z.object({ n: z.int() }) });

describe('a relay with a very long polling interval', () => {
  let database: TestDatabase;
  let own: Pool | undefined;
  let other: Pool | undefined;
  let feed: ChangeFeed;
  let otherFeed: ChangeFeed;
  let notifications: OutboxNotifications[];
  let bus: LocalBus;
  let consumption: Consumption;
  let relay: Relay;
  const received: number[] = [];
  beforeAll(async () => {
    database = await createTestDatabase([messagingMigrations]);
    [own, other] = [1, 2].map(() => new Pool({ connectionString: database.url, max: 4 }));
    [feed, otherFeed] = [
      new ChangeFeed({ connectionString: database.url }),
      new ChangeFeed({ connectionString: database.url }),
    ];
    notifications = [new OutboxNotifications(own!, feed, false), new OutboxNotifications(other!, otherFeed, true)];
    await until('the change feed is live', () => feed.live);
    bus = new LocalBus(own!, () => true);
    await bus.start();
    relay = new Relay(own!, bus, silent, notifications[0], DEFAULT_JOB_OPTIONS, NEVER_MS);
    relay.start();
    consumption = await bus.consume(
      { name: 'spec.notifications', bindings: [job.type], prefetch: 5 },
      async ({ payload }) => {
        received.push((payload as { data: { n: number } }).data.n);
        return { kind: 'ack' };
      },
    );
  });
  afterAll(async () => {
    await relay.stop();
    await consumption.stop();
    await bus.stop();
    for (const each of notifications) each.stop();
    await Promise.all([feed.stop(), otherFeed.stop()]);
    await Promise.all([own!.end(), other!.end()]);
    await database.drop();
  });

  const add = async (pool: Pool, n: number): Promise<void> => {
    const client = await pool.connect();
    await client.query('BEGIN');
    const event = composeEvent(job, { organizationId: newId(), workspaceId: null, correlationId: null, data: { n } });
    await addToOutbox(client, [event]);
    await client.query('COMMIT');
    client.release();
  };
  const arrives = (n: number) => until(`event ${n} arrives`, () => received.includes(n));

  it('publishes an event that this process has committed', async () => {
    for (const n of [1, 2, 3]) {
      await add(own!, n);
      await arrives(n);
    }
  });

  it('publishes an event that a process without a relay has committed', async () => {
    await arrives(3);
    for (const n of [11, 12, 13]) {
      await add(other!, n);
      await arrives(n);
    }
  });

  it('records the time of a check that found no due event', async () => {
    const start = performance.now();
    await own!.query('SELECT 1');
    await until('the relay has checked the outbox', () => relay.foundNoneAt > start);
  });

  it('publishes events that are committed at any time around its own query of the outbox', async () => {
    const numbers = Array.from({ length: 200 }, (_, index) => 100 + index);
    for (const n of numbers) await add(own!, n);
    await until('all events have arrived', () => numbers.every((n) => received.includes(n)));
  });
});

describe('a query through the pool', () => {
  it('notifies the listeners, unless it is quiet', async () => {
    const database = await createTestDatabase([]);
    const pool = new Pool({ connectionString: database.url, max: 1 });
    const feed = { live: true, subscribe: () => () => undefined } as unknown as ChangeFeed;
    const notifications = new OutboxNotifications(pool, feed, false);
    let notified = 0;
    notifications.subscribe(() => (notified += 1));
    try {
      expect(await queryQuietly(pool, 'SELECT $1::int AS n', [7])).toEqual([{ n: 7 }]);
      expect(await queryQuietly(pool, { name: 'named', text: 'SELECT $1::int AS n', values: [8] })).toEqual([{ n: 8 }]);
      await expect(queryQuietly(pool, 'SELECT nonsense')).rejects.toThrow('nonsense');
      expect(notified).toBe(0);
      await pool.query('SELECT 1');
      expect(notified).toBe(1);
    } finally {
      notifications.stop();
      await pool.end();
      await database.drop();
    }
  });
});

describe('a relay whose bus rejects every event', () => {
  it('records no check without due events, so that the backlog is counted', async () => {
    const database = await createTestDatabase([messagingMigrations]);
    const pool = new Pool({ connectionString: database.url, max: 4 });
    const feed = { live: true, subscribe: () => () => undefined } as unknown as ChangeFeed;
    const notifications = new OutboxNotifications(pool, feed, false);
    const client = await pool.connect();
    await addToOutbox(client, [
      composeEvent(job, { organizationId: newId(), workspaceId: null, correlationId: null, data: { n: 1 } }),
    ]);
    client.release();
    const publish = jest.fn().mockRejectedValue(new Error('The bus is unavailable.'));
    const relay = new Relay(
      pool,
      { ready: true, publish } as unknown as Bus,
      silent,
      notifications,
      DEFAULT_JOB_OPTIONS,
      NEVER_MS,
    );
    relay.start();
    try {
      await until('the relay has tried to publish the event', () => publish.mock.calls.length > 0);
      expect(relay.foundNoneAt).toBe(-Infinity);
    } finally {
      await relay.stop();
      notifications.stop();
      await pool.end();
      await database.drop();
    }
  });
});
