import { newId } from '@heliograph/database';
import {
  createTestDatabase,
  removeFromBroker,
  TcpProxy,
  testServers,
  unique,
  until,
  type TestDatabase,
} from '@heliograph/testing';
import { connect } from 'amqplib';
import { Pool } from 'pg';
import type { Bus, Consumption, Delivery, OutgoingEvent, QueueDefinition, Verdict } from './bus';
import { LocalBus } from './local-bus';
import { messagingMigrations } from './migration-set';
import { RabbitBus } from './rabbit-bus';

const silent = { info: () => undefined, warn: () => undefined };
const isMandatory = (type: string) => type.startsWith('job.');
const prefix = `test-bus-${unique()}.`;

function rabbitBus(): Bus {
  return new RabbitBus({ url: testServers.amqpUrl, prefix, connectionName: 'bus spec', isMandatory, log: silent });
}

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
    bus = kind === 'RabbitMQ' ? rabbitBus() : new LocalBus(pool, isMandatory);
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
  /** As the relay does: within the transaction that deletes the rows. */
  const publish = async (...events: OutgoingEvent[]) => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const refused = await bus.publish(events, client);
      await client.query('COMMIT');
      return refused;
    } finally {
      client.release();
    }
  };
  const consume = async (verdict: (delivery: Delivery) => Promise<Verdict> | Verdict, definition = queue) => {
    const deliveries: Delivery[] = [];
    const consumption = await bus.consume(definition, async (delivery) => {
      deliveries.push(delivery);
      return verdict(delivery);
    });
    running.push(consumption);
    return { deliveries, consumption };
  };
  const done: Verdict = { kind: 'done' };

  it('delivers an event with its payload and attempt, once', async () => {
    const { deliveries } = await consume(() => done);
    const event = eventOf(queue.bindings[0]!, { text: 'naïve 😀' }, { attempt: 3 });
    expect((await publish(event)).size).toBe(0);
    await until('it came', () => deliveries.length > 0);
    expect(deliveries).toEqual([{ payload: JSON.parse(event.body) as object, attempt: 3 }]);
    await until('the queue is empty', async () => (await bus.depth(queue.name)) === 0);
  });

  it('delivers to every queue that is bound to the type, and to no other', async () => {
    const others = ['same', 'other'].map((name) => ({
      name: `${queue.name}.${name}`,
      prefetch: 1,
      bindings: queue.bindings,
    }));
    others[1] = { ...others[1]!, bindings: ['job.something.else'] };
    used.push(...others.map(({ name }) => name));
    const consumers = [
      await consume(() => done),
      await consume(() => done, others[0]),
      await consume(() => done, others[1]),
    ];
    await publish(eventOf(queue.bindings[0]!));
    await until('both got it', () => consumers[0]!.deliveries.length === 1 && consumers[1]!.deliveries.length === 1);
    expect(consumers[2]!.deliveries).toEqual([]);
  });

  it('lets every listener hear the types it asked for, whether or not a queue takes them', async () => {
    const type = `fact.${queue.name}`;
    const heard: [number, unknown][] = [];
    const listeners = await Promise.all(
      [1, 2].map((name) => bus.listen([type, `${type}.other`], (payload) => heard.push([name, payload]))),
    );
    const events = [eventOf(type, { n: 1 }), eventOf(`${type}.unheard`), eventOf(`${type}.other`, { n: 2 })];
    for (const event of events) expect((await publish(event)).size).toBe(0);
    await until('both heard both', () => heard.length === 4);
    const payload = (index: number) => JSON.parse(events[index]!.body) as object;
    for (const name of [1, 2])
      expect(heard).toEqual(
        expect.arrayContaining([
          [name, payload(0)],
          [name, payload(2)],
        ]),
      );
    await listeners[0]!.stop();
    await publish(eventOf(type));
    await until('the other heard it', () => heard.length === 5);
    expect(heard[4]![0]).toBe(2);
    await listeners[1]!.stop();
  });

  it('delivers to the one queue that an event names, whatever its type', async () => {
    const { deliveries } = await consume(() => done);
    await publish(eventOf('fact.of.nobody', {}, { queue: queue.name, attempt: 2 }));
    await until('it came', () => deliveries.length === 1);
    expect(deliveries[0]?.attempt).toBe(2);
  });

  it('refuses a job that reaches no queue, and takes a fact that does', async () => {
    const job = eventOf(`job.nowhere.${unique()}`);
    const fact = eventOf(`fact.nowhere.${unique()}`);
    const refused = await publish(job, fact);
    expect([...refused.keys()]).toEqual([job.id]);
    expect(refused.get(job.id)).toMatch(/no queue took it/);
  });

  it('keeps a queue for a consumer that is still to come', async () => {
    await bus.keepQueue({ name: queue.name, bindings: queue.bindings });
    const events = [1, 2].map((n) => eventOf(queue.bindings[0]!, { n }));
    expect((await publish(...events)).size).toBe(0);
    const { deliveries } = await consume(() => done);
    await until('they came', () => deliveries.length === 2);
    expect(deliveries.map(({ payload }) => payload)).toEqual(events.map(({ body }) => JSON.parse(body) as object));
    await until('the queue is empty', async () => (await bus.depth(queue.name)) === 0);
  });

  it('keeps a queue that is consumed already', async () => {
    const { deliveries } = await consume(() => done);
    await bus.keepQueue({ name: queue.name, bindings: queue.bindings });
    await publish(eventOf(queue.bindings[0]!));
    await until('it came', () => deliveries.length === 1);
  });

  it('gives an event again when its consumer says so', async () => {
    let times = 0;
    const { deliveries } = await consume(() => (++times === 1 ? { kind: 'again' } : done));
    const event = eventOf(queue.bindings[0]!);
    await publish(event);
    await until('it came again', () => deliveries.length === 2);
    expect(deliveries.map(({ payload }) => (payload as { id: string }).id)).toEqual([event.id, event.id]);
    await until('the queue is empty', async () => (await bus.depth(queue.name)) === 0);
  });

  it('sets dead letters aside with their reason, lists them, and replays them from the first attempt', async () => {
    let poisonous = true;
    const { deliveries } = await consume(() => (poisonous ? { kind: 'dead', error: 'it is poison' } : done));
    const event = eventOf(queue.bindings[0]!, { n: 1 }, { attempt: 9 });
    await publish(event);
    const letters = await until('it is listed', async () => {
      const listed = await bus.deadLetters(queue.name, 10);
      return listed.length > 0 && listed;
    });
    expect(letters).toEqual([
      { id: event.id, type: event.type, error: 'it is poison', payload: JSON.parse(event.body) as object },
    ]);
    // Listing takes nothing away.
    await until('it is listed still', async () => (await bus.deadLetters(queue.name, 10)).length === 1);
    expect(deliveries).toHaveLength(1);
    poisonous = false;
    await until('it is replayed', async () => (await bus.replay(queue.name, 10)) === 1);
    await until('it came again', () => deliveries.length === 2);
    expect(deliveries[1]).toEqual({ payload: JSON.parse(event.body) as object, attempt: 0 });
    await until('none is left', async () => (await bus.deadLetters(queue.name, 10)).length === 0);
    expect(await bus.replay(queue.name, 10)).toBe(0);
  });

  it('lists and replays no more dead letters than asked for', async () => {
    await consume(() => ({ kind: 'dead', error: 'no' }));
    await publish(...[1, 2, 3].map((n) => eventOf(queue.bindings[0]!, { n })));
    await until('all are dead', async () => (await bus.deadLetters(queue.name, 10)).length === 3);
    expect(await bus.deadLetters(queue.name, 2)).toHaveLength(2);
    await Promise.all(running.splice(0).map((consumption) => consumption.stop()));
    await until('two are free again', async () => (await bus.replay(queue.name, 2)) === 2);
    expect(await bus.deadLetters(queue.name, 10)).toHaveLength(1);
  });

  it('puts no more into the hands of a consumer than its prefetch', async () => {
    const releases: (() => void)[] = [];
    let most = 0;
    let inHand = 0;
    const { deliveries } = await consume(
      async () => {
        most = Math.max(most, ++inHand);
        await new Promise<void>((resolve) => releases.push(resolve));
        inHand--;
        return done;
      },
      { ...queue, prefetch: 3 },
    );
    await publish(...Array.from({ length: 12 }, () => eventOf(queue.bindings[0]!)));
    await until('three are in hand', () => inHand === 3);
    await until('all came', () => {
      releases.splice(0).forEach((release) => release());
      return deliveries.length === 12;
    });
    releases.splice(0).forEach((release) => release());
    await until('all are settled', () => {
      releases.splice(0).forEach((release) => release());
      return inHand === 0;
    });
    expect(most).toBe(3);
  });

  it('stops when what is in hand is settled, and takes nothing new', async () => {
    let release = (): void => undefined;
    const { deliveries, consumption } = await consume(
      async () => {
        await new Promise<void>((resolve) => (release = resolve));
        return done;
      },
      { ...queue, prefetch: 1 },
    );
    await publish(eventOf(queue.bindings[0]!, { n: 1 }), eventOf(queue.bindings[0]!, { n: 2 }));
    await until('the first is in hand', () => deliveries.length === 1);
    let stopped = false;
    const stopping = consumption.stop().then(() => (stopped = true));
    expect(stopped).toBe(false);
    release();
    await stopping;
    expect(deliveries).toHaveLength(1);
    const next = await consume(() => done);
    await until('the second came to the next consumer', () => next.deliveries.length === 1);
    expect(next.deliveries[0]?.payload).toMatchObject({ data: { n: 2 } });
  });

  it('says how many wait', async () => {
    const { consumption } = await consume(() => done);
    await consumption.stop();
    await publish(...[1, 2, 3].map(() => eventOf('any', {}, { queue: queue.name })));
    const releases: (() => void)[] = [];
    const { deliveries } = await consume(() => new Promise((resolve) => releases.push(() => resolve(done))), {
      ...queue,
      prefetch: 1,
    });
    await until('one is in hand', () => deliveries.length === 1);
    const waiting = kind === 'RabbitMQ' ? 2 : 3;
    await until('the others wait', async () => (await bus.depth(queue.name)) === waiting);
    await until('all are settled', async () => {
      releases.splice(0).forEach((release) => release());
      return (await bus.depth(queue.name)) === 0;
    });
  });
});

describe('the bus over RabbitMQ', () => {
  it('finds a new broker that comes after its consumers', async () => {
    const proxy = await TcpProxy.start(testServers.amqpUrl);
    const late = `test-late-${unique()}.`;
    const options = { prefix: late, connectionName: 'bus spec', isMandatory, log: silent };
    const bus = new RabbitBus({ ...options, url: proxy.through(testServers.amqpUrl) });
    proxy.cut();
    await bus.start();
    const deliveries: Delivery[] = [];
    const definition: QueueDefinition = { name: 'spec.late', bindings: ['job.late'], prefetch: 1 };
    const consumption = await bus.consume(definition, (delivery) => {
      deliveries.push(delivery);
      return Promise.resolve({ kind: 'done' });
    });
    expect(bus.ready).toBe(false);
    proxy.heal();
    await until('the bus is ready', () => bus.ready);
    const event = { id: newId(), type: 'job.late', body: '{"n":1}', queue: null, attempt: 0 };
    expect((await bus.publish([event])).size).toBe(0);
    await until('it came', () => deliveries.length === 1);
    await consumption.stop();
    await bus.stop();
    await proxy.stop();
    await removeFromBroker(late, [definition.name]);
  });

  it('survives a broker that goes away while everything is being set up, and has each consumer once', async () => {
    const proxy = await TcpProxy.start(testServers.amqpUrl);
    const broken = `test-broken-${unique()}.`;
    const options = { prefix: broken, connectionName: 'bus spec', isMandatory, log: silent };
    const queues = ['spec.first', 'spec.second', 'spec.third'];
    // At another moment of the set-up each time.
    for (let delayMs = 0; delayMs < 60; delayMs += 4) {
      const bus = new RabbitBus({ ...options, url: proxy.through(testServers.amqpUrl) });
      await bus.start();
      const deliveries: Delivery[] = [];
      const consumptions = queues.map((name) =>
        bus.consume({ name, bindings: [`job.${name}`], prefetch: 1 }, (delivery) => {
          deliveries.push(delivery);
          return Promise.resolve({ kind: 'done' });
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      proxy.cut();
      await new Promise((resolve) => setTimeout(resolve, 5));
      proxy.heal();
      await until('the bus is ready', () => bus.ready);
      const events = queues.map((name) => ({ id: newId(), type: `job.${name}`, body: '{}', queue: null, attempt: 0 }));
      await until('everything was taken', async () => (await bus.publish(events)).size === 0);
      await until('everything came', () => deliveries.length >= queues.length);
      const connection = await connect(testServers.amqpUrl);
      const channel = await connection.createChannel();
      for (const name of queues) expect((await channel.checkQueue(`${broken}${name}`)).consumerCount).toBe(1);
      await connection.close();
      for (const consumption of await Promise.all(consumptions)) await consumption.stop();
      await bus.stop();
    }
    await proxy.stop();
    await removeFromBroker(broken, queues);
  }, 60_000);

  it('keeps its connection when what consumes or listens is stopped while everything is being set up', async () => {
    const queues = ['spec.first', 'spec.second'];
    /** Stops after `delayMs`, or when all is set up; answers how long it was before that, and what was complained of. */
    const stopAfter = async (delayMs: number) => {
      const stopped = `test-stopped-${unique()}.`;
      const complaints: string[] = [];
      const log = { info: () => undefined, warn: (_: unknown, message: string) => complaints.push(message) };
      const options = { prefix: stopped, connectionName: 'bus spec', isMandatory, log };
      const bus = new RabbitBus({ ...options, url: testServers.amqpUrl });
      await bus.start();
      const began = performance.now();
      const consumptions = await Promise.all([
        ...queues.map((name) =>
          bus.consume({ name, bindings: [], prefetch: 1 }, () => Promise.resolve({ kind: 'done' })),
        ),
        bus.listen(['fact.heard'], () => undefined),
      ]);
      await until('it is time', () => bus.ready || performance.now() - began > delayMs, { everyMs: 1 });
      const tookMs = performance.now() - began;
      await Promise.all(consumptions.map((consumption) => consumption.stop()));
      await until('the bus is ready', () => bus.ready);
      await bus.stop();
      await removeFromBroker(stopped, queues);
      return { tookMs, complaints };
    };
    const { tookMs } = await stopAfter(Infinity);
    for (let moment = 1; moment < 20; moment++) {
      expect((await stopAfter((moment / 20) * tookMs)).complaints).toEqual([]);
    }
  });

  it('hears again, and once, when the broker is back', async () => {
    const proxy = await TcpProxy.start(testServers.amqpUrl);
    const heard: unknown[] = [];
    const options = { prefix: `test-listen-${unique()}.`, connectionName: 'bus spec', isMandatory, log: silent };
    const bus = new RabbitBus({ ...options, url: proxy.through(testServers.amqpUrl) });
    await bus.start();
    const listener = await bus.listen(['fact.heard'], (payload) => heard.push(payload));
    const tell = (n: number) =>
      bus.publish([{ id: newId(), type: 'fact.heard', body: `{"n":${n}}`, queue: null, attempt: 0 }]);
    await until('the bus is ready', () => bus.ready);
    await tell(1);
    await until('it was heard', () => heard.length === 1);
    proxy.cut();
    await until('the bus is away', () => !bus.ready);
    proxy.heal();
    await until('the bus is ready again', () => bus.ready);
    await tell(2);
    await tell(3);
    await until('both were heard', () => heard.length >= 3);
    expect(heard).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    await listener.stop();
    await bus.stop();
    await proxy.stop();
  });

  it('has its kept queues on every broker that it comes to, before it publishes', async () => {
    const proxy = await TcpProxy.start(testServers.amqpUrl);
    const kept = `test-kept-${unique()}.`;
    const options = { prefix: kept, connectionName: 'bus spec', isMandatory, log: silent };
    const bus = new RabbitBus({ ...options, url: proxy.through(testServers.amqpUrl) });
    const event = () => ({ id: newId(), type: 'job.kept', body: '{"n":1}', queue: null, attempt: 0 });
    proxy.cut();
    await bus.start();
    await bus.keepQueue({ name: 'spec.kept', bindings: ['job.kept'] });
    proxy.heal();
    await until('the bus is ready', () => bus.ready);
    expect((await bus.publish([event()])).size).toBe(0);
    proxy.cut();
    await until('the bus is away', () => !bus.ready);
    await removeFromBroker(kept, ['spec.kept']);
    proxy.heal();
    await until('the bus is ready again', () => bus.ready);
    expect((await bus.publish([event()])).size).toBe(0);
    await bus.stop();
    await proxy.stop();
    await removeFromBroker(kept, ['spec.kept']);
  });

  const queue: QueueDefinition = { name: `spec.${unique()}`, bindings: ['job.any'], prefetch: 1 };
  afterAll(() => removeFromBroker(prefix, [queue.name]));

  it('hands over what is not JSON as undefined, for its consumer to set aside', async () => {
    const bus = rabbitBus();
    await bus.start();
    await until('the bus is ready', () => bus.ready);
    const deliveries: Delivery[] = [];
    await bus.consume(queue, (delivery) => {
      deliveries.push(delivery);
      return Promise.resolve({ kind: 'dead', error: 'not JSON' });
    });
    const connection = await connect(testServers.amqpUrl);
    const channel = await connection.createChannel();
    channel.sendToQueue(`${prefix}${queue.name}`, Buffer.from('{"broken'));
    await until('it is dead', async () => (await bus.deadLetters(queue.name, 1)).length === 1);
    expect(deliveries).toEqual([{ payload: undefined, attempt: 0 }]);
    await connection.close();
    await bus.stop();
  });
});
