import { defineEvent, type EventEnvelope } from '@heliograph/contracts';
import { newId } from '@heliograph/database';
import {
  createTestDatabase,
  removeFromBroker,
  testServers,
  unique,
  until,
  type TestDatabase,
} from '@heliograph/testing';
import { Pool, type PoolClient } from 'pg';
import { z } from 'zod';
import type { OutgoingEvent } from '../bus';
import { messagingMigrations } from '../migration-set';
import { addToOutbox, composeEvent } from './outbox';
import { RabbitBus } from '../rabbit/rabbit-bus';
import { Relay } from './relay';

const silent = { info: () => undefined, warn: () => undefined };
const job = defineEvent({ type: 'job.done', version: 1, mandatory: true, schema: z.object({ n: z.int() }) });

/** A RabbitMQ bus that can fail between publishing and the deletion of the rows. */
class FragileBus extends RabbitBus {
  before: ((events: OutgoingEvent[]) => void) | null = null;
  after: ((transaction: PoolClient) => Promise<unknown>) | null = null;

  override async publish(events: OutgoingEvent[], transaction?: PoolClient): Promise<Map<string, string>> {
    this.before?.(events);
    const refused = await super.publish(events);
    if (transaction) await this.after?.(transaction);
    return refused;
  }
}

describe('the relay', () => {
  const queue = { name: 'spec.relay', bindings: [job.type], prefetch: 100 };
  let database: TestDatabase;
  let pool: Pool;
  let prefix: string;
  let bus: FragileBus;
  let relays: Relay[];
  let received: EventEnvelope<{ n: number }>[];

  beforeAll(async () => {
    database = await createTestDatabase([messagingMigrations]);
    pool = new Pool({ connectionString: database.url, max: 10 });
    pool.on('error', () => undefined);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });
  beforeEach(async () => {
    prefix = `test-relay-${unique()}.`;
    bus = new FragileBus({
      url: testServers.amqpUrl,
      prefix,
      connectionName: 'relay spec',
      isMandatory: (type) => type === job.type,
      log: silent,
    });
    await bus.start();
    await until('the bus is ready', () => bus.ready);
    relays = [];
    received = [];
  });
  afterEach(async () => {
    await Promise.all(relays.map((relay) => relay.stop()));
    await bus.stop();
    await removeFromBroker(prefix, [queue.name]);
    await database.query('DELETE FROM messaging.outbox');
  });

  const startRelay = (): Relay => {
    const relay = new Relay(pool, bus, silent);
    relays.push(relay);
    relay.start();
    return relay;
  };
  const consume = () =>
    bus.consume(queue, ({ payload }) => {
      received.push(payload as EventEnvelope<{ n: number }>);
      return Promise.resolve({ kind: 'ack' });
    });
  const addOf = async (organizationOf: (n: number) => string, numbers: number[]) => {
    const client = await pool.connect();
    try {
      await addToOutbox(
        client,
        numbers.map((n) =>
          composeEvent(job, { organizationId: organizationOf(n), workspaceId: null, correlationId: 'c', data: { n } }),
        ),
      );
    } finally {
      client.release();
    }
  };
  const add = (...numbers: number[]) => addOf(newId, numbers);
  const remaining = async () => (await database.query('SELECT 1 FROM messaging.outbox')).length;
  const numbers = () => received.map(({ data }) => data.n);

  it('publishes committed events and deletes them', async () => {
    await consume();
    const relay = startRelay();
    await add(1, 2, 3);
    relay.wake();
    await until('all events have arrived', () => received.length === 3);
    await until('the outbox is empty', async () => (await remaining()) === 0);
    expect(numbers().sort()).toEqual([1, 2, 3]);
    expect(relay.published).toBe(3);
    expect(received[0]).toMatchObject({ type: job.type, version: 1, correlationId: 'c' });
  });

  it('polls with one query instead of a transaction after it found no due event', async () => {
    const relay = startRelay();
    await until('the relay has polled with one query', () => relay.foundNoneAt > -Infinity);
    await consume();
    await add(1);
    await until('the event has arrived', () => received.length === 1);
  });

  it('does not publish events that were rolled back', async () => {
    await consume();
    startRelay();
    const client = await pool.connect();
    await client.query('BEGIN');
    await addToOutbox(client, [
      composeEvent(job, { organizationId: null, workspaceId: null, correlationId: null, data: { n: 1 } }),
    ]);
    await client.query('ROLLBACK');
    client.release();
    await add(2);
    await until('the other event has arrived', () => received.length === 1);
    expect(numbers()).toEqual([2]);
  });

  it('publishes no event before it is due', async () => {
    await consume();
    startRelay();
    await add(1);
    await until('the event has arrived', () => received.length === 1);
    const [row] = await database.query<{ dueAt: Date }>(
      `INSERT INTO messaging.outbox (id, type, payload, available_at)
       VALUES ($1, 'job.done', '{"data":{"n":2}}', now() + interval '700 milliseconds')
       RETURNING available_at AS "dueAt"`,
      [newId()],
    );
    await until('the event has also arrived', () => received.length === 2);
    const lateMs = Date.now() - (row?.dueAt.getTime() ?? 0);
    expect(lateMs).toBeGreaterThanOrEqual(0);
    expect(lateMs).toBeLessThan(3_000);
  });

  it('keeps a mandatory event without a queue, and delivers it when the queue exists', async () => {
    const relay = startRelay();
    await add(1);
    await until('the event was rejected', () => relay.refused === 1);
    await until('the event remains in the outbox', async () => {
      const rows = await database.query<{ later: boolean }>(
        'SELECT available_at > now() AS later FROM messaging.outbox',
      );
      return rows[0]?.later;
    });
    await consume();
    await database.query('UPDATE messaging.outbox SET available_at = now()');
    await until('the event has arrived', () => received.length === 1);
    await until('the outbox is empty', async () => (await remaining()) === 0);
  });

  it('retries when publishing fails completely', async () => {
    await consume();
    let failures = 2;
    bus.before = () => {
      if (failures-- > 0) throw new Error('the broker rejects the event');
    };
    startRelay();
    await add(1);
    await until('the event has arrived', () => received.length === 1);
    await until('the outbox is empty', async () => (await remaining()) === 0);
    expect(failures).toBeLessThan(0);
  });

  it('publishes events again when the connection is lost before their deletion', async () => {
    await consume();
    let kills = 1;
    bus.after = async (transaction) => {
      if (kills-- <= 0) return;
      await transaction.query('SELECT pg_terminate_backend(pg_backend_pid())');
    };
    startRelay();
    await add(1);
    await until('the event has arrived twice', () => received.length === 2);
    await until('the outbox is empty', async () => (await remaining()) === 0);
    expect(received[0]?.id).toBe(received[1]?.id);
  });

  it('publishes each event once with several relays', async () => {
    await consume();
    const count = 3_000;
    await add(...Array.from({ length: count }, (_, n) => n));
    const both = [startRelay(), startRelay()];
    await until('the outbox is empty', async () => (await remaining()) === 0);
    await until('all events have arrived', () => received.length >= count);
    expect(new Set(numbers()).size).toBe(count);
    expect(received).toHaveLength(count);
    expect(both.reduce((sum, { published }) => sum + published, 0)).toBe(count);
  });

  it('publishes the event of another organization before the backlog of the first', async () => {
    await consume();
    const batches: string[][] = [];
    bus.before = (events) => void batches.push(events.map(({ body }) => body));
    const relay = startRelay();
    await until('the relay has found no event', () => relay.foundNoneAt > -Infinity);
    const [organization, other] = [newId(), newId()] as const;
    const last = 5_000;
    await addOf(
      (n) => (n === last ? other : organization),
      Array.from({ length: last + 1 }, (_, n) => n),
    );
    await until('all events have arrived', () => received.length === last + 1);
    // Each of the two loops takes a batch before it knows of the backlog, and may take another while the other one takes the event.
    const place = batches.findIndex((bodies) => bodies.some((body) => body.includes(other)));
    expect(place).toBeLessThan(4);
    expect(new Set(numbers()).size).toBe(last + 1);
  });

  it('waits for an unavailable broker and continues', async () => {
    await consume();
    await bus.stop();
    const relay = startRelay();
    await add(1, 2);
    relay.wake();
    expect(await remaining()).toBe(2);
    await relay.stop();
    bus = new FragileBus({
      url: testServers.amqpUrl,
      prefix,
      connectionName: 'relay spec',
      isMandatory: () => true,
      log: silent,
    });
    await bus.start();
    await consume();
    startRelay();
    await until('both events have arrived', () => received.length === 2);
  });
});
