import { newId } from '@heliograph/database';
import {
  createTestDatabase,
  removeFromBroker,
  testServers,
  unique,
  until,
  type TestDatabase,
} from '@heliograph/testing';
import { connect } from 'amqplib';
import { Pool, type PoolClient } from 'pg';
import type { Bus, Consumption, DeliveryOutcome, OutgoingEvent } from '../bus';
import { LocalBus } from '../local/local-bus';
import { messagingMigrations } from '../migration-set';
import { rabbitBus, silent } from '../rabbit/rabbit-bus.fixture';
import { StoredQueues } from './stored-queues';

const QUEUE = 'spec.log';
const OTHER = 'spec.figures';
const QUEUES = [
  { name: QUEUE, bindings: ['thing.changed', 'thing.sold'] },
  { name: OTHER, bindings: ['thing.sold'] },
];
const log = { ...silent, error: () => undefined };
const [ACME, BETA, COVE] = ['1', '2', '3'].map((digit) => `${digit}0000000-0000-7000-8000-000000000000`) as [
  string,
  string,
  string,
];
const ack: DeliveryOutcome = { kind: 'ack' };

interface Thing {
  id: string;
  organizationId: string | null;
}

describe('queues in PostgreSQL', () => {
  let database: TestDatabase;
  const pools: Pool[] = [];
  const buses: Bus[] = [];
  const consumptions: Consumption[] = [];

  beforeAll(async () => {
    database = await createTestDatabase([messagingMigrations]);
  });
  afterEach(async () => {
    await Promise.all(consumptions.splice(0).map((consumption) => consumption.stop()));
    await Promise.all(buses.splice(0).map((bus) => bus.stop()));
    await Promise.all(pools.splice(0).map((pool) => pool.end()));
    await database.query('DELETE FROM messaging.stored_events');
    await database.query('DELETE FROM messaging.dead_letters');
    await database.query('DELETE FROM messaging.outbox');
  });
  afterAll(() => database.drop());

  const newPool = (max: number, name = 'spec'): Pool => {
    const pool = new Pool({ connectionString: database.url, max, application_name: name });
    pool.on('error', () => undefined);
    pools.push(pool);
    return pool;
  };

  /** A process with its own pool and bus. */
  const start = async (
    make: (pool: Pool) => Bus = (pool) => new LocalBus(pool, () => false),
    { max = 6, name = 'spec' } = {},
  ): Promise<StoredQueues> => {
    const pool = newPool(max, name);
    const bus = new StoredQueues(pool, make(pool), { log, feed: null, pollMs: 50 }, QUEUES);
    await bus.start();
    await until('the bus is ready', () => bus.ready);
    buses.push(bus);
    return bus;
  };

  const eventOf = (organizationId: string | null, type = 'thing.changed', more: Partial<OutgoingEvent> = {}) => {
    const id = newId();
    const body = JSON.stringify({ id, type, organizationId });
    return { id, type, body, queue: null, attempt: 0, ...more };
  };

  /** Publishes as the relay does. */
  const publish = async (bus: Bus, events: OutgoingEvent[]): Promise<void> => {
    const client: PoolClient = await pools[0]!.connect();
    await client.query('BEGIN');
    const callbacks: (() => void)[] = [];
    expect((await bus.publish(events, client, (callback) => callbacks.push(callback))).size).toBe(0);
    await client.query('COMMIT');
    for (const callback of callbacks) callback();
    client.release();
  };

  const consume = async (
    bus: Bus,
    settle: (thing: Thing, attempt: number) => DeliveryOutcome | Promise<DeliveryOutcome> = () => ack,
    { prefetch = 10, queue = QUEUE } = {},
  ): Promise<Thing[]> => {
    const things: Thing[] = [];
    const consumption = await bus.consume(
      { name: queue, bindings: ['thing.changed'], prefetch },
      async ({ payload, attempt }) => {
        things.push(payload as Thing);
        return settle(payload as Thing, attempt);
      },
    );
    consumptions.push(consumption);
    return things;
  };
  const areEmpty = async (): Promise<boolean> =>
    (await database.query('SELECT FROM messaging.stored_events')).length === 0;
  const organizations = (things: Thing[]) => things.map(({ organizationId }) => organizationId);

  it('deliver an event to every queue of its type, with its payload and attempt', async () => {
    const bus = await start();
    const attempts: number[] = [];
    const logged = await consume(bus, (_, attempt) => {
      attempts.push(attempt);
      return ack;
    });
    const counted = await consume(bus, () => ack, { queue: OTHER });
    const changed = eventOf(null, 'thing.changed', { attempt: 3 });
    const sold = eventOf(ACME, 'thing.sold');
    const retried = eventOf(ACME, 'thing.sold', { queue: OTHER });
    await publish(bus, [changed, sold, retried, eventOf(ACME, 'thing.ignored')]);
    await until('the queues are empty', areEmpty);
    expect(logged.map(({ id }) => id).sort()).toEqual([changed.id, sold.id]);
    expect(counted.map(({ id }) => id).sort()).toEqual([sold.id, retried.id].sort());
    expect(attempts.sort()).toEqual([0, 3]);
  });

  it('give each organization its turn', async () => {
    const bus = await start();
    await publish(
      bus,
      [ACME, ACME, ACME, ACME, BETA, BETA, BETA, COVE].map((id) => eventOf(id)),
    );
    const things = await consume(bus, () => ack, { prefetch: 1 });
    await until('the queue is empty', areEmpty);
    expect(organizations(things)).toEqual([ACME, BETA, COVE, ACME, BETA, ACME, BETA, ACME]);
  });

  it('deliver the event of one organization before the backlog of another, also that which is added last', async () => {
    const bus = await start();
    const first = await start();
    const second = await start();
    await publish(
      bus,
      Array.from({ length: 600 }, () => eventOf(BETA)),
    );
    const order: Thing[] = [];
    let added = Promise.resolve();
    const settle = async (thing: Thing): Promise<DeliveryOutcome> => {
      order.push(thing);
      if (order.length === 100) added = publish(bus, [eventOf(ACME)]);
      await added;
      return ack;
    };
    await Promise.all([consume(first, settle), consume(second, settle)]);
    await until('the queue is empty', areEmpty);
    // At most the slices that were taken before: two of each process, and those that were added while the event was added.
    expect(organizations(order).indexOf(ACME)).toBeLessThan(150);
    expect(new Set(order.map(({ id }) => id)).size).toBe(601);
    expect(order).toHaveLength(601);
  });

  it('share a slice equally between the organizations', async () => {
    await database.query(
      `INSERT INTO messaging.stored_events (queue, organization_id, payload, attempt)
       SELECT $1, o::uuid, '{}', 0 FROM unnest($2::text[]) AS o CROSS JOIN generate_series(1, 50)`,
      [QUEUE, [ACME, BETA, COVE]],
    );
    const taken = await database.query<{ organization: string; events: number }>(
      `SELECT organization_id AS organization, count(*)::int AS events
       FROM messaging.take_stored($1, NULL, 12, '{}') GROUP BY 1 ORDER BY 1`,
      [QUEUE],
    );
    expect(taken).toEqual([ACME, BETA, COVE].map((organization) => ({ organization, events: 4 })));
  });

  it('return the events of a crashed process, and deliver each of the others once', async () => {
    const bus = await start();
    const crashing = await start(undefined, { name: 'crashing' });
    const events = Array.from({ length: 60 }, (_, index) => eventOf(index % 2 ? ACME : BETA));
    await publish(bus, events);
    const never = new Promise<DeliveryOutcome>(() => undefined);
    const begun: Thing[] = [];
    const consumption = await crashing.consume({ name: QUEUE, bindings: [], prefetch: 8 }, ({ payload }) => {
      begun.push(payload as Thing);
      return never;
    });
    await until('the process has taken events', () => begun.length >= 8);
    void consumption.stop();
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'crashing' AND datname = current_database()`,
    );
    const things = await consume(bus);
    await until('the queue is empty', areEmpty);
    expect(things.map(({ id }) => id).sort()).toEqual(events.map(({ id }) => id).sort());
    buses.splice(buses.indexOf(crashing), 1);
    pools.splice(1, 1);
  });

  it('hold back an organization whose event takes long, and no other, and deliver the event again unless it ends', async () => {
    const bus = await start();
    let end = (_: DeliveryOutcome): void => undefined;
    const stuck = eventOf(ACME);
    const things = await consume(
      bus,
      ({ id }) => (id === stuck.id ? new Promise<DeliveryOutcome>((resolve) => (end = resolve)) : ack),
      { prefetch: 2 },
    );
    await publish(bus, [stuck]);
    await until('the slow event is scheduled again', async () => {
      const rows = await database.query('SELECT queue, payload FROM messaging.outbox WHERE available_at > now()');
      return rows.length === 1 && (rows[0] as { queue: string }).queue === QUEUE;
    });
    await publish(bus, [eventOf(ACME), eventOf(BETA), eventOf(BETA)]);
    await until('the events of the other organization are delivered', () => things.length === 3);
    expect(organizations(things)).toEqual([ACME, BETA, BETA]);
    end(ack);
    await until('the queue is empty', areEmpty);
    expect(organizations(things)).toEqual([ACME, BETA, BETA, ACME]);
  });

  it('keep dead letters until they are replayed', async () => {
    const bus = await start();
    const event = eventOf(ACME);
    let isBroken = true;
    const things = await consume(bus, () => (isBroken ? { kind: 'deadLetter', error: 'broken' } : ack));
    await publish(bus, [event]);
    await until('the event is a dead letter', async () => (await bus.deadLetters(QUEUE, 10)).length === 1);
    expect(await bus.deadLetterCount(QUEUE)).toBe(1);
    expect(await bus.deadLetters(QUEUE, 10)).toEqual([
      { id: event.id, type: event.type, error: 'broken', payload: JSON.parse(event.body) as object },
    ]);
    isBroken = false;
    expect(await bus.replay(QUEUE, 10)).toBe(1);
    expect(await bus.deadLetters(QUEUE, 10)).toEqual([]);
    const [row] = await database.query('SELECT id, type, payload::text AS body, queue, attempt FROM messaging.outbox');
    await publish(bus, [row as unknown as OutgoingEvent]);
    await until('the event is delivered again', () => things.length === 2);
  });

  it('consume while fewer connections are free than slices wanted', async () => {
    const bus = await start(undefined, { max: 2 });
    const pool = pools[0]!;
    const settle = async (): Promise<DeliveryOutcome> => {
      await pool.query('SELECT 1');
      return ack;
    };
    await publish(
      bus,
      Array.from({ length: 40 }, () => eventOf(ACME, 'thing.sold')),
    );
    const all = await Promise.all([consume(bus, settle), consume(bus, settle, { queue: OTHER })]);
    await until('the queues are empty', areEmpty);
    expect(all.map(({ length }) => length)).toEqual([40, 40]);
  });

  describe('over RabbitMQ', () => {
    const prefix = `test-stored-${unique()}.`;
    const names = [QUEUE, OTHER, 'spec.job'];
    afterAll(() => removeFromBroker(prefix, names));

    it('lose nothing when the broker loses its queues', async () => {
      const bus = await start(() => rabbitBus(prefix));
      await bus.declareQueue({ name: 'spec.job', bindings: ['thing.sold'] });
      await publish(bus, [eventOf(ACME, 'thing.sold'), eventOf(ACME)]);
      await removeFromBroker(prefix, names);
      const things = await consume(bus);
      await until('the events are delivered', () => things.length === 2);
    });

    it('are not among the queues on the broker', async () => {
      const bus = await start(() => rabbitBus(prefix));
      for (const queue of [...QUEUES, { name: 'spec.job', bindings: ['thing.sold'] }]) await bus.declareQueue(queue);
      expect(bus.queueNames).toEqual(['spec.job']);
    });

    it('receive the events that an earlier release left on the broker, whose queue receives no more events', async () => {
      const connection = await connect(testServers.amqpUrl);
      connection.on('error', () => undefined);
      const earlier = rabbitBus(prefix);
      await earlier.start();
      await until('the bus is ready', () => earlier.ready);
      await earlier.declareQueue(QUEUES[0]!);
      const client = await newPool(1).connect();
      const waiting = eventOf(ACME);
      const dead = eventOf(ACME);
      const malformed = { ...eventOf(ACME), body: 'not JSON' };
      await earlier.publish(
        [waiting, dead, malformed].map((event) => ({ ...event, queue: QUEUE })),
        client,
        () => undefined,
      );
      client.release();
      const first = await earlier.consume({ ...QUEUES[0]!, prefetch: 5 }, ({ payload }) => {
        const { id } = (payload ?? {}) as { id?: string };
        return Promise.resolve(
          id === waiting.id ? { kind: 'requeue' } : { kind: 'deadLetter', error: 'of an earlier release' },
        );
      });
      await until('two events are dead letters', async () => (await earlier.deadLetters(QUEUE, 5)).length === 2);
      await first.stop();

      const bus = await start(() => rabbitBus(prefix));
      const things = await consume(bus);
      await until('the event is delivered', () => things.length === 1);
      expect(things[0]!.id).toBe(waiting.id);
      await until('the dead letters are moved', async () => (await bus.deadLetters(QUEUE, 5)).length === 2);
      expect((await bus.deadLetters(QUEUE, 5)).map(({ id, error }) => [id, error])).toEqual([
        [dead.id, 'of an earlier release'],
        ['?', 'of an earlier release'],
      ]);
      await publish(bus, [eventOf(ACME)]);
      await until('the event is delivered', () => things.length === 2);
      const channel = await connection.createChannel();
      expect((await channel.checkQueue(`${prefix}${QUEUE}`)).messageCount).toBe(0);
      await earlier.stop();
      await connection.close();
    });
  });
});
