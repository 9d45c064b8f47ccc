import { routingKeyOf } from '@heliograph/contracts';
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
import type { Bus, Consumption, DeliveryOutcome, OutgoingEvent } from '../bus';
import { LocalBus } from '../local/local-bus';
import { messagingMigrations } from '../migration-set';
import { addRetryToOutbox } from '../outbox/outbox';
import { Relay } from '../outbox/relay';
import { RabbitBus } from '../rabbit/rabbit-bus';
import { JOB, nameOf, WaitingJobs } from './waiting-jobs.fixture';

const silent = { info: () => undefined, warn: () => undefined };
const isMandatory = (type: string) => type === JOB;

describe.each(['RabbitMQ', 'PostgreSQL'])('jobs over %s', (kind) => {
  const prefix = `test-jobs-${unique()}.`;
  let database: TestDatabase;
  let pool: Pool;
  let bus: Bus;
  let queue: string;
  let jobs: WaitingJobs;
  const queues: string[] = [];
  let relays: Relay[];
  let consumptions: Consumption[];
  let received: string[];
  /** Called before events are published, in the transaction that deletes them. */
  let onPublish: ((events: OutgoingEvent[], transaction: PoolClient) => Promise<unknown>) | null = null;

  const observed = <B extends Bus>(inner: B): B => {
    const publish = inner.publish.bind(inner);
    inner.publish = async (events, transaction, afterCommit) => {
      await onPublish?.(events, transaction);
      return publish(events, transaction, afterCommit);
    };
    return inner;
  };

  beforeAll(async () => {
    database = await createTestDatabase([messagingMigrations]);
    pool = new Pool({ connectionString: database.url, max: 10 });
    pool.on('error', () => undefined);
    bus = observed(
      kind === 'RabbitMQ'
        ? new RabbitBus({ url: testServers.amqpUrl, prefix, connectionName: 'jobs spec', isMandatory, log: silent })
        : new LocalBus(pool, isMandatory, 100),
    );
    await bus.start();
    await until('the bus is ready', () => bus.ready);
  });
  afterAll(async () => {
    await bus.stop();
    await pool.end();
    await database.drop();
    if (kind === 'RabbitMQ') await removeFromBroker(prefix, queues);
  });
  beforeEach(async () => {
    queue = `spec.${unique()}`;
    queues.push(queue);
    await bus.declareQueue({ name: queue, bindings: [JOB] });
    jobs = new WaitingJobs(database, queue);
    await jobs.declare();
    relays = [];
    consumptions = [];
    received = [];
  });
  afterEach(async () => {
    onPublish = null;
    await Promise.all(relays.map((relay) => relay.stop()));
    await Promise.all(consumptions.map((consumption) => consumption.stop()));
    await database.query('DELETE FROM messaging.outbox');
  });

  const startRelay = (on = bus): Relay => {
    const relay = new Relay(pool, on, silent);
    relays.push(relay);
    relay.start();
    return relay;
  };
  /** Consumes until `pauseAfter` jobs, and then only after `resume` was called. */
  const consume = async (pauseAfter = Infinity, prefetch = 1): Promise<() => void> => {
    let resume: () => void = () => undefined;
    const resumed = new Promise<void>((resolve) => (resume = resolve));
    const settle = async (payload: unknown): Promise<DeliveryOutcome> => {
      if (received.length >= pauseAfter) await resumed;
      received.push(nameOf(payload));
      return { kind: 'ack' };
    };
    consumptions.push(await bus.consume({ name: queue, bindings: [JOB], prefetch }, ({ payload }) => settle(payload)));
    return resume;
  };
  /** How many jobs of other organizations are received before the first one of `letter` that were not received at the call. */
  const placeOf = (letter: string, from: number) => received.slice(from).findIndex((name) => name.startsWith(letter));

  it('publishes only a window of the jobs that wait', async () => {
    await jobs.add({ organization: 'a', count: 1_000 });
    startRelay();
    await until('jobs are in the queue', async () => ((await bus.depth(queue)) ?? 0) > 0);
    for (let count = 0; count < 10; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect(await bus.depth(queue)).toBeLessThanOrEqual(20);
    }
    expect(await jobs.remaining()).toBeGreaterThanOrEqual(980);
    await consume(Infinity, 50);
    await until('all jobs have arrived', () => received.length === 1_000);
    expect(await jobs.remaining()).toBe(0);
  });

  it('hands over the job of another organization before the backlog of the first', async () => {
    await jobs.add({ organization: 'a', count: 3_000 });
    const resume = await consume(300);
    startRelay();
    await until('the consumer is paused, and the window is full', async () => {
      return received.length === 300 && ((await bus.depth(queue)) ?? 0) > 0;
    });
    await jobs.add({ organization: 'b', count: 1 });
    resume();
    await until('all jobs have arrived', () => received.length === 3_001);
    // Behind the window, which is short compared with the backlog.
    expect(placeOf('b', 300)).toBeLessThan(1_000);
    expect(received.filter((name) => name.startsWith('a'))).toHaveLength(3_000);
  });

  it('publishes each job once with two relays, and continues when one of them dies', async () => {
    await jobs.add({ organization: 'a', count: 2_000 });
    let isKilled = false;
    onPublish = async (events, transaction) => {
      if (isKilled || events.length === 0 || received.length < 200) return;
      isKilled = true;
      await transaction.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
      throw new Error('the process died');
    };
    const first = startRelay();
    startRelay();
    await consume(Infinity, 20);
    await until('a relay has died', () => isKilled);
    await first.stop();
    await jobs.add({ organization: 'b', count: 1 });
    await until('all jobs have arrived', () => received.length === 2_001);
    expect(new Set(received).size).toBe(2_001);
    expect(await jobs.remaining()).toBe(0);
    expect(received.indexOf('b1')).toBeLessThan(1_990);
  });

  it('shares the jobs between two consumers, in the order of the turns', async () => {
    for (const organization of ['a', 'b']) await jobs.add({ organization, count: 100 });
    await consume();
    await consume();
    startRelay();
    await until('all jobs have arrived', () => received.length === 200);
    for (let count = 20; count <= 200; count += 20) {
      const ofA = received.slice(0, count).filter((name) => name.startsWith('a')).length;
      expect(Math.abs(count - 2 * ofA)).toBeLessThanOrEqual(4);
    }
  });

  it('lets a due job and a retry wait in their lanes', async () => {
    await jobs.add({ organization: 'a', count: 500 });
    await database.query(
      `UPDATE messaging.outbox SET in_lane = false, available_at = now() + interval '300 milliseconds' WHERE job_queue = $1`,
      [queue],
    );
    const payload = {
      id: newId(),
      type: JOB,
      version: 1,
      time: '',
      organizationId: newId(),
      workspaceId: null,
      correlationId: null,
      data: { kind: 'single' },
      name: 'retry',
    };
    await addRetryToOutbox(pool, { queue, payload, attempt: 1, delayMs: 300 });
    startRelay();
    await until('the jobs are due, and most of them wait', async () => {
      const rows = await database.query('SELECT FROM messaging.outbox WHERE job_queue = $1 AND in_lane', [queue]);
      return rows.length > 400 && rows.length < 501;
    });
    await consume();
    await until('all jobs have arrived', () => received.length === 501);
    expect(received.indexOf('retry')).toBeLessThan(100);
  });

  it('publishes single sends to their own queue, which has another routing key', async () => {
    const single = 'sms-api.send-single';
    queues.push(single);
    await bus.declareQueue({ name: single, bindings: [routingKeyOf(JOB, single)] });
    await new WaitingJobs(database, single).add({ organization: 'b', count: 3 });
    await jobs.add({ organization: 'a', count: 2 });
    await database.query('UPDATE messaging.outbox SET queue = NULL');
    startRelay();
    await until('the single sends are in their queue', async () => (await bus.depth(single)) === 3);
    await until('the others are in the other one', async () => (await bus.depth(queue)) === 2);
    expect([await bus.depth(single), await bus.depth(queue)]).toEqual([3, 2]);
  });

  describe('with a second queue', () => {
    let second: string;

    beforeEach(async () => {
      second = `spec.${unique()}`;
      queues.push(second);
      await bus.declareQueue({ name: second, bindings: [] });
    });

    it('publishes the jobs of a queue while those of another one are being published', async () => {
      await jobs.add({ organization: 'a', count: 3 });
      let finish: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (finish = resolve));
      let isHeld = false;
      onPublish = async (events) => {
        if (!events.some(({ body }) => nameOf(JSON.parse(body)).startsWith('a'))) return;
        isHeld = true;
        await held;
      };
      startRelay();
      try {
        await until('the publication is held', () => isHeld);
        const others = new WaitingJobs(database, second);
        await others.declare();
        await others.add({ organization: 'b', count: 3 });
        await until('the other jobs are in their queue', async () => (await bus.depth(second)) === 3);
        expect(await bus.depth(queue)).toBe(0);
      } finally {
        finish();
      }
      await until('the held jobs are in their queue', async () => (await bus.depth(queue)) === 3);
    });
  });

  const itOnRabbit = kind === 'RabbitMQ' ? it : it.skip;
  itOnRabbit('returns jobs that the bus rejects to their lane', async () => {
    await jobs.add({ organization: 'a', count: 3 });
    await database.query(`UPDATE messaging.outbox SET queue = 'spec.missing' WHERE job_queue = $1`, [queue]);
    const relay = startRelay();
    await until('the jobs were rejected', () => relay.refused === 3);
    await until('they wait again', async () => (await jobs.remaining()) === 3);
    await database.query('UPDATE messaging.outbox SET available_at = now(), queue = $1 WHERE job_queue = $1', [queue]);
    await consume();
    await until('they have arrived', () => received.length === 3);
  });
});
