import { newId } from '@heliograph/database';
import { createTestDatabase, removeFromBroker, unique, until, type TestDatabase } from '@heliograph/testing';
import { Pool } from 'pg';
import type { Bus, Consumption, Delivery, OutgoingEvent, QueueDefinition, DeliveryOutcome } from './bus';
import { LocalBus } from './local/local-bus';
import { messagingMigrations } from './migration-set';
import { isMandatory, rabbitBus } from './rabbit/rabbit-bus.fixture';

/** The transactions of these tests do not wake the consumers. */
const LOCAL_POLL_MS = 100;
const prefix = `test-bus-${unique()}.`;

describe.each(['RabbitMQ', 'PostgreSQL'])('the bus over %s', (kind) => {
  let database: TestDatabase;
  let pool: Pool;
  let bus: Bus;
  let queue: QueueDefinition;
  const used: string[] = [];
  const running: Consumption[] = [];

  beforeAll(async () => {
    database = await createTestDatabase([messagingMigrations]);
    pool = new Pool({ connectionString: database.url, max: 5 });
    bus = kind === 'RabbitMQ' ? rabbitBus(prefix) : new LocalBus(pool, isMandatory, LOCAL_POLL_MS);
    await bus.start();
    await until('the bus is ready', () => bus.ready);
  });
  afterAll(async () => {
    await bus.stop();
    await pool.end();
    await database.drop();
    if (kind === 'RabbitMQ') await removeFromBroker(prefix, used);
  });
  beforeEach(() => {
    const name = `spec.${unique()}`;
    used.push(name);
    queue = { name, bindings: [`job.${name}`], prefetch: 10 };
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((consumption) => consumption.stop()));
  });

  const eventOf = (type: string, data: object = {}, more: Partial<OutgoingEvent> = {}): OutgoingEvent => {
    const id = newId();
    return { id, type, body: JSON.stringify({ id, type, data }), queue: null, attempt: 0, ...more };
  };
  /** Publishes in the same way as the relay: in the transaction that deletes the outbox rows. */
  const publish = async (...events: OutgoingEvent[]) => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const refused = await bus.publish(events, client, () => undefined);
      await client.query('COMMIT');
      return refused;
    } finally {
      client.release();
    }
  };
  const consume = async (
    settle: (delivery: Delivery) => Promise<DeliveryOutcome> | DeliveryOutcome,
    definition = queue,
  ) => {
    const deliveries: Delivery[] = [];
    const consumption = await bus.consume(definition, async (delivery) => {
      deliveries.push(delivery);
      return settle(delivery);
    });
    running.push(consumption);
    return { deliveries, consumption };
  };
  const acked: DeliveryOutcome = { kind: 'ack' };

  it('delivers an event once, with its payload and attempt number', async () => {
    const { deliveries } = await consume(() => acked);
    const event = eventOf(queue.bindings[0]!, { text: 'naïve 😀' }, { attempt: 3 });
    expect((await publish(event)).size).toBe(0);
    await until('the event has arrived', () => deliveries.length > 0);
    expect(deliveries).toEqual([{ payload: JSON.parse(event.body) as object, attempt: 3 }]);
    await until('the queue is empty', async () => (await bus.depth(queue.name)) === 0);
  });

  it('delivers an event to every queue that is bound to its type, and to no other queue', async () => {
    const others = ['same', 'other'].map((name) => ({
      name: `${queue.name}.${name}`,
      prefetch: 1,
      bindings: queue.bindings,
    }));
    others[1] = { ...others[1]!, bindings: ['job.something.else'] };
    used.push(...others.map(({ name }) => name));
    const consumers = [
      await consume(() => acked),
      await consume(() => acked, others[0]),
      await consume(() => acked, others[1]),
    ];
    await publish(eventOf(queue.bindings[0]!));
    await until(
      'both consumers have received the event',
      () => consumers[0]!.deliveries.length === 1 && consumers[1]!.deliveries.length === 1,
    );
    expect(consumers[2]!.deliveries).toEqual([]);
  });

  it('delivers events to every subscriber of their type, with or without a bound queue', async () => {
    const type = `fact.${queue.name}`;
    const received: [number, unknown][] = [];
    const subscriptions = await Promise.all(
      [1, 2].map((name) => bus.subscribe([type, `${type}.other`], (payload) => received.push([name, payload]))),
    );
    const events = [eventOf(type, { n: 1 }), eventOf(`${type}.unsubscribed`), eventOf(`${type}.other`, { n: 2 })];
    for (const event of events) expect((await publish(event)).size).toBe(0);
    await until('both subscribers received both events', () => received.length === 4);
    const payload = (index: number) => JSON.parse(events[index]!.body) as object;
    for (const name of [1, 2])
      expect(received).toEqual(
        expect.arrayContaining([
          [name, payload(0)],
          [name, payload(2)],
        ]),
      );
    await subscriptions[0]!.stop();
    await publish(eventOf(type));
    await until('the other subscriber has received the event', () => received.length === 5);
    expect(received[4]![0]).toBe(2);
    await subscriptions[1]!.stop();
  });

  it('delivers an event with an explicit queue only to that queue, regardless of its type', async () => {
    const { deliveries } = await consume(() => acked);
    await publish(eventOf('fact.without.queue', {}, { queue: queue.name, attempt: 2 }));
    await until('the event has arrived', () => deliveries.length === 1);
    expect(deliveries[0]?.attempt).toBe(2);
  });

  it('rejects a mandatory event without a bound queue and accepts an optional one', async () => {
    const job = eventOf(`job.nowhere.${unique()}`);
    const fact = eventOf(`fact.nowhere.${unique()}`);
    const refused = await publish(job, fact);
    expect([...refused.keys()]).toEqual([job.id]);
    expect(refused.get(job.id)).toMatch(/not routed to any queue|no queue is bound/);
  });

  it('declares a queue before it has a consumer, and stores its events', async () => {
    await bus.declareQueue({ name: queue.name, bindings: queue.bindings });
    const events = [1, 2].map((n) => eventOf(queue.bindings[0]!, { n }));
    expect((await publish(...events)).size).toBe(0);
    const { deliveries } = await consume(() => acked);
    await until('the events have arrived', () => deliveries.length === 2);
    expect(deliveries.map(({ payload }) => payload)).toEqual(events.map(({ body }) => JSON.parse(body) as object));
    await until('the queue is empty', async () => (await bus.depth(queue.name)) === 0);
  });

  it('declares a queue that already has a consumer', async () => {
    const { deliveries } = await consume(() => acked);
    await bus.declareQueue({ name: queue.name, bindings: queue.bindings });
    await publish(eventOf(queue.bindings[0]!));
    await until('the event has arrived', () => deliveries.length === 1);
  });

  it('redelivers an event that its consumer requeues', async () => {
    let times = 0;
    const { deliveries } = await consume(() => (++times === 1 ? { kind: 'requeue' } : acked));
    const event = eventOf(queue.bindings[0]!);
    await publish(event);
    await until('the event has arrived again', () => deliveries.length === 2);
    expect(deliveries.map(({ payload }) => (payload as { id: string }).id)).toEqual([event.id, event.id]);
    await until('the queue is empty', async () => (await bus.depth(queue.name)) === 0);
  });

  it('stores dead letters with their error, lists them, and replays them as first attempts', async () => {
    let poisonous = true;
    const { deliveries } = await consume(() => (poisonous ? { kind: 'deadLetter', error: 'it is poison' } : acked));
    const event = eventOf(queue.bindings[0]!, { n: 1 }, { attempt: 9 });
    await publish(event);
    const letters = await until('the dead letter is listed', async () => {
      const listed = await bus.deadLetters(queue.name, 10);
      return listed.length > 0 && listed;
    });
    expect(letters).toEqual([
      { id: event.id, type: event.type, error: 'it is poison', payload: JSON.parse(event.body) as object },
    ]);
    // Listing does not remove dead letters.
    await until('the dead letter is still listed', async () => (await bus.deadLetters(queue.name, 10)).length === 1);
    expect(deliveries).toHaveLength(1);
    poisonous = false;
    await until('the dead letter is replayed', async () => (await bus.replay(queue.name, 10)) === 1);
    await until('the event has arrived again', () => deliveries.length === 2);
    expect(deliveries[1]).toEqual({ payload: JSON.parse(event.body) as object, attempt: 0 });
    await until('no dead letter remains', async () => (await bus.deadLetters(queue.name, 10)).length === 0);
    expect(await bus.replay(queue.name, 10)).toBe(0);
  });

  it('lists and replays no more dead letters than the limit', async () => {
    await consume(() => ({ kind: 'deadLetter', error: 'no' }));
    await publish(...[1, 2, 3].map((n) => eventOf(queue.bindings[0]!, { n })));
    await until('all events are dead-lettered', async () => (await bus.deadLetters(queue.name, 10)).length === 3);
    expect(await bus.deadLetters(queue.name, 2)).toHaveLength(2);
    await until('all dead letters are counted', async () => (await bus.deadLetterCount(queue.name)) === 3);
    await Promise.all(running.splice(0).map((consumption) => consumption.stop()));
    await until('two dead letters are replayed', async () => (await bus.replay(queue.name, 2)) === 2);
    expect(await bus.deadLetters(queue.name, 10)).toHaveLength(1);
  });

  it('delivers at most as many events concurrently as the prefetch count', async () => {
    const releases: (() => void)[] = [];
    let most = 0;
    let inFlight = 0;
    const { deliveries } = await consume(
      async () => {
        most = Math.max(most, ++inFlight);
        await new Promise<void>((resolve) => releases.push(resolve));
        inFlight--;
        return acked;
      },
      { ...queue, prefetch: 3 },
    );
    await publish(...Array.from({ length: 12 }, () => eventOf(queue.bindings[0]!)));
    await until('three events are in progress', () => inFlight === 3);
    await until('all events have arrived', () => {
      releases.splice(0).forEach((release) => release());
      return deliveries.length === 12;
    });
    releases.splice(0).forEach((release) => release());
    await until('all events are settled', () => {
      releases.splice(0).forEach((release) => release());
      return inFlight === 0;
    });
    expect(most).toBe(3);
  });

  it('delivers no new events while it stops, and resolves when the events in progress are settled', async () => {
    let release = (): void => undefined;
    const { deliveries, consumption } = await consume(
      async () => {
        await new Promise<void>((resolve) => (release = resolve));
        return acked;
      },
      { ...queue, prefetch: 1 },
    );
    await publish(eventOf(queue.bindings[0]!, { n: 1 }), eventOf(queue.bindings[0]!, { n: 2 }));
    await until('the first event is in progress', () => deliveries.length === 1);
    let stopped = false;
    const stopping = consumption.stop().then(() => (stopped = true));
    expect(stopped).toBe(false);
    release();
    await stopping;
    expect(deliveries).toHaveLength(1);
    const next = await consume(() => acked);
    await until('the next consumer has received the second event', () => next.deliveries.length === 1);
    expect(next.deliveries[0]?.payload).toMatchObject({ data: { n: 2 } });
  });

  it('returns the number of waiting events', async () => {
    const { consumption } = await consume(() => acked);
    await consumption.stop();
    await publish(...[1, 2, 3].map(() => eventOf('any', {}, { queue: queue.name })));
    const releases: (() => void)[] = [];
    const { deliveries } = await consume(() => new Promise((resolve) => releases.push(() => resolve(acked))), {
      ...queue,
      prefetch: 1,
    });
    await until('one event is in progress', () => deliveries.length === 1);
    await until('the other events wait', async () => (await bus.depth(queue.name)) === 2);
    await until('all events are settled', async () => {
      releases.splice(0).forEach((release) => release());
      return deliveries.length === 3 && (await bus.depth(queue.name)) === 0;
    });
    releases.forEach((release) => release());
  });
});
