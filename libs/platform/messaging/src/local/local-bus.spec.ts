import { newId } from '@heliograph/database';
import { createTestDatabase, unique, until, type TestDatabase } from '@heliograph/testing';
import { Pool } from 'pg';
import type { Consumption, Delivery, OutgoingEvent, QueueDefinition } from '../bus';
import { LocalBus } from './local-bus';
import { messagingMigrations } from '../migration-set';

/** The transactions of these tests do not wake the consumers. */
const POLL_MS = 100;
const isMandatory = (type: string) => type.startsWith('job.');

/** Each service of a process has its own pool and bus. */
interface Service {
  pool: Pool;
  bus: LocalBus;
}

describe('the local buses of several services in one process', () => {
  let database: TestDatabase;
  let queue: QueueDefinition;
  const services: Service[] = [];
  const running: Consumption[] = [];
  const releases: (() => void)[] = [];
  beforeAll(async () => {
    database = await createTestDatabase([messagingMigrations]);
  });
  afterAll(() => database.drop());
  beforeEach(() => {
    const name = `spec.${unique()}`;
    queue = { name, bindings: [`job.${name}`], prefetch: 10 };
  });
  afterEach(async () => {
    releases.splice(0).forEach((release) => release());
    await Promise.all(running.splice(0).map((consumption) => consumption.stop()));
    for (const service of services.splice(0)) await end(service);
    await database.query('DELETE FROM messaging.local_deliveries');
  });

  const service = async (url = database.url): Promise<Service> => {
    const pool = new Pool({ connectionString: url, max: 3 });
    const one = { pool, bus: new LocalBus(pool, isMandatory, POLL_MS) };
    services.push(one);
    await one.bus.start();
    return one;
  };
  const end = async ({ pool, bus }: Service): Promise<void> => {
    await bus.stop();
    await pool.end();
  };
  const stop = async (one: Service): Promise<void> => {
    services.splice(services.indexOf(one), 1);
    await end(one);
  };
  const event = (more: Partial<OutgoingEvent> = {}): OutgoingEvent => {
    const id = newId();
    return { id, type: queue.bindings[0]!, body: JSON.stringify({ id }), queue: null, attempt: 0, ...more };
  };
  const publish = async ({ pool, bus }: Service, ...events: OutgoingEvent[]): Promise<string[]> => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const refused = await bus.publish(events, client, () => undefined);
      await client.query('COMMIT');
      return [...refused.values()];
    } finally {
      client.release();
    }
  };
  const consume = async ({ bus }: Service, definition = queue): Promise<Delivery[]> => {
    const deliveries: Delivery[] = [];
    const consumption = await bus.consume(definition, (delivery) => {
      deliveries.push(delivery);
      return Promise.resolve({ kind: 'ack' });
    });
    running.push(consumption);
    return deliveries;
  };
  const leased = async (): Promise<number> => {
    const rows = await database.query('SELECT 1 FROM messaging.local_deliveries WHERE leased_until > now()');
    return rows.length;
  };

  it.each(['first', 'last'])(
    'deliver events of the relay of any service, when its consumer starts %s',
    async (when) => {
      const consuming = when === 'first' ? await service() : null;
      const publishing = await service();
      const consumer = consuming ?? (await service());
      const deliveries = await consume(consumer);
      expect(await publish(publishing, event())).toEqual([]);
      expect(await publish(consumer, event())).toEqual([]);
      await until('both events have arrived', () => deliveries.length === 2);
    },
  );

  it('share the events of a queue between two consumers', async () => {
    const one = await service();
    const other = await service();
    const deliveries = [await consume(one), await consume(other)];
    await publish(one, ...Array.from({ length: 40 }, () => event()));
    await until('all events have arrived', () => deliveries.flat().length >= 40);
    const ids = deliveries.flat().map(({ payload }) => (payload as { id: string }).id);
    expect(new Set(ids).size).toBe(40);
    expect(ids).toHaveLength(40);
  });

  it('release the leases of an earlier process at the first start', async () => {
    await database.query(
      `INSERT INTO messaging.local_deliveries (queue, event_id, type, payload, attempt, leased_until)
       VALUES ($1, gen_random_uuid(), 'job', '{}', 0, now() + interval '1 hour')`,
      [queue.name],
    );
    const deliveries = await consume(await service());
    await until('the event has arrived', () => deliveries.length === 1);
  });

  it('keep the leases of the process when a second bus starts', async () => {
    const first = await service();
    let inFlight = 0;
    const consumption = await first.bus.consume(queue, async () => {
      inFlight++;
      await new Promise<void>((resolve) => releases.push(resolve));
      return { kind: 'ack' };
    });
    running.push(consumption);
    await publish(first, event());
    await until('the event is in progress', () => inFlight === 1);
    const second = await service();
    expect(await leased()).toBe(1);
    const others = await consume(second);
    await publish(second, event(), event());
    await until('the new events are leased', async () => (await leased()) + others.length >= 3);
    expect(inFlight + others.length).toBe(3);
  });

  it('keep a queue after its consumer has stopped, while a bus is running', async () => {
    const one = await service();
    const other = await service();
    await consume(other);
    await running.pop()!.stop();
    await stop(other);
    expect(await publish(one, event())).toEqual([]);
    const deliveries = await consume(await service());
    await until('the event has arrived', () => deliveries.length === 1);
  });

  it('store the events of a declared queue for a later process', async () => {
    const one = await service();
    await one.bus.declareQueue(queue);
    expect(await publish(one, event())).toEqual([]);
    await stop(one);
    const deliveries = await consume(await service());
    await until('the event has arrived', () => deliveries.length === 1);
  });

  it('remove all queues when the last bus stops', async () => {
    const one = await service();
    const other = await service();
    await one.bus.declareQueue(queue);
    await stop(one);
    expect(await publish(other, event())).toEqual([]);
    await stop(other);
    expect(await publish(await service(), event())).toEqual(['no queue is bound to this type']);
  });

  it('are separate for each database', async () => {
    const elsewhere = await createTestDatabase([messagingMigrations]);
    const here = await service();
    const there = await service(elsewhere.url);
    await consume(here);
    expect(await publish(there, event())).toEqual(['no queue is bound to this type']);
    await stop(there);
    await elsewhere.drop();
  });

  it('throw before a start and after a failed start', async () => {
    const pool = new Pool({ connectionString: `${database.url}_that_is_not_there` });
    const bus = new LocalBus(pool, isMandatory);
    await expect(bus.declareQueue(queue)).rejects.toThrow('not started');
    await expect(bus.start()).rejects.toMatchObject({ code: '3D000' });
    await expect(bus.declareQueue(queue)).rejects.toThrow('not started');
    await bus.stop();
    await pool.end();
  });
});
