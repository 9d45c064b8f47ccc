import { defineEvent } from '@heliograph/contracts';
import { newId } from '@heliograph/database';
import {
  createTestDatabase,
  removeFromBroker,
  testServers,
  unique,
  until,
  type TestDatabase,
} from '@heliograph/testing';
import fc from 'fast-check';
import { Pool } from 'pg';
import { z } from 'zod';
import type { Bus, Consumption } from './bus';
import { consumeEvents, retryDelayMs, TryAgainLater } from './event-consumer';
import { LocalBus } from './local/local-bus';
import { messagingMigrations } from './migration-set';
import { composeEvent } from './outbox/outbox';
import { RabbitBus } from './rabbit/rabbit-bus';
import { Relay } from './outbox/relay';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe.each(['RabbitMQ', 'PostgreSQL'])('an event consumer over %s', (kind) => {
  const prefix = `test-consumer-${unique()}.`;
  const queues: string[] = [];
  let database: TestDatabase;
  let pool: Pool;
  let bus: Bus;
  let relay: Relay;
  let consumption: Consumption | null = null;
  const logged: Record<string, unknown>[] = [];
  const log = (fields: Record<string, unknown>, message: string): void => void logged.push({ ...fields, message });

  beforeAll(async () => {
    database = await createTestDatabase([messagingMigrations]);
    pool = new Pool({ connectionString: database.url, max: 8 });
    bus =
      kind === 'RabbitMQ'
        ? new RabbitBus({
            url: testServers.amqpUrl,
            prefix,
            connectionName: 'spec',
            isMandatory: () => true,
            log: silent,
          })
        : new LocalBus(pool, () => true);
    await bus.start();
    await until('the bus is ready', () => bus.ready);
    relay = new Relay(pool, bus, silent);
    relay.start();
  });
  afterAll(async () => {
    await relay.stop();
    await bus.stop();
    await pool.end();
    await database.drop();
    if (kind === 'RabbitMQ') await removeFromBroker(prefix, queues);
  });
  afterEach(async () => {
    await consumption?.stop();
    consumption = null;
  });

  /** Starts a consumer that calls `work` with the number of the call. */
  const start = async (work: (call: number) => void, on: Pool = pool) => {
    const queue = `spec.${unique()}`;
    queues.push(queue);
    const contract = defineEvent({
      type: `job.${unique()}`,
      version: 1,
      mandatory: true,
      schema: z.object({ n: z.int() }),
    });
    const calls: { n: number; at: number }[] = [];
    consumption = await consumeEvents(
      bus,
      on,
      { ...silent, warn: log, error: log },
      {
        queue,
        bindings: [contract.type],
        contract,
        concurrency: 4,
        consume: ({ data }) => {
          calls.push({ n: data.n, at: Date.now() });
          work(calls.length);
          return Promise.resolve();
        },
      },
    );
    const put = (payload: object, attempt = 0) =>
      database.query('INSERT INTO messaging.outbox (id, type, payload, attempt) VALUES ($1, $2, $3, $4)', [
        newId(),
        contract.type,
        JSON.stringify(payload),
        attempt,
      ]);
    const event = composeEvent(contract, {
      organizationId: null,
      workspaceId: null,
      correlationId: null,
      data: { n: 7 },
    });
    const retries = () =>
      database.query<{ attempt: number; delay: number }>(
        `SELECT attempt, extract(epoch FROM available_at - now())::float AS delay FROM messaging.outbox WHERE queue = $1`,
        [queue],
      );
    const empty = () => until('the queue is empty', async () => (await bus.depth(queue)) === 0);
    return { queue, calls, put, event, retries, empty };
  };

  it('receives events of its contract', async () => {
    const { calls, put, event, empty } = await start(() => undefined);
    await put(event);
    await until('the event has arrived', () => calls.length === 1);
    expect(calls[0]?.n).toBe(7);
    await empty();
  });

  it('receives a failed event again from the outbox after a delay, with the number of attempts', async () => {
    const { calls, put, event, retries, empty, queue } = await start((call) => {
      if (call === 1) throw new Error('not yet');
    });
    await put(event);
    const [retry] = await until('the retry is stored', async () => {
      const rows = await retries();
      return rows.length > 0 && rows;
    });
    expect(retry?.attempt).toBe(1);
    expect(retry?.delay).toBeGreaterThan(0.2);
    await until('the event has arrived again', () => calls.length === 2);
    expect(calls[1]!.at - calls[0]!.at).toBeGreaterThanOrEqual(450);
    await empty();
    expect(await bus.deadLetters(queue, 1)).toEqual([]);
  });

  it('dead-letters an event at the tenth failure', async () => {
    const { calls, put, event, queue, retries } = await start(() => {
      throw new Error('it never works');
    });
    await put({ ...event, correlationId: 'order-4711', data: { n: 7, messageId: 'm1' } }, 9);
    const [letter] = await until('the event is dead-lettered', async () => {
      const letters = await bus.deadLetters(queue, 1);
      return letters.length > 0 && letters;
    });
    expect(letter).toMatchObject({ id: event.id, type: event.type, error: 'it never works' });
    const ids = { eventId: event.id, requestId: 'order-4711', organizationId: null, workspaceId: null };
    expect(logged.filter(({ eventId }) => eventId === event.id)).toMatchObject([
      { ...ids, queue, attempt: 10, message: 'could not consume an event' },
      { ...ids, queue, message: 'an event failed too often; it is dead-lettered' },
    ]);
    expect(calls).toHaveLength(1);
    expect(await retries()).toEqual([]);
  });

  it('keeps an event during an outage, which counts no attempt', async () => {
    const outage = () => Object.assign(new Error('the database is shutting down'), { code: '57P01' });
    let refused = 0;
    const query = (...args: Parameters<Pool['query']>) =>
      ++refused > 2 ? pool.query(...args) : Promise.reject(outage());
    const { calls, put, event, retries } = await start(
      (call) => {
        throw call === 1 ? outage() : new Error('it fails once');
      },
      { query } as unknown as Pool,
    );
    await put(event, 8);
    const [stored] = await until('the retry is stored', async () => {
      const rows = await retries();
      return rows.length > 0 && rows;
    });
    // The broker has not delivered the event again in the meantime.
    expect([calls.length, refused, stored?.attempt]).toEqual([1, 3, 8]);
  });

  it('can delay an event without counting an attempt', async () => {
    const { calls, put, event, retries } = await start((call) => {
      throw call <= 2 ? new TryAgainLater(100, 'busy') : new Error('it fails once');
    });
    await put(event, 8);
    const retryOf = async (attempt: number) => (await retries()).some((retry) => retry.attempt === attempt);
    await until('only the failure is counted', async () => calls.length === 3 && (await retryOf(9)));
  });

  it.each([
    ['no envelope', () => ({ hello: 1 })],
    ['another version', (event: object) => ({ ...event, version: 2 })],
    ['another type', (event: object) => ({ ...event, type: 'else' })],
    ['invalid data', (event: object) => ({ ...event, data: { n: 'seven' } })],
    ['an invalid id', (event: object) => ({ ...event, id: '7' })],
  ])('does not receive an event with %s, which is dead-lettered immediately', async (_what, change) => {
    const { calls, put, event, queue, empty } = await start(() => undefined);
    await put(change(event));
    await until('the event is dead-lettered', async () => (await bus.deadLetters(queue, 1)).length === 1);
    expect(calls).toEqual([]);
    await empty();
  });
});

describe('the retry delay', () => {
  it('doubles from one second to five minutes', () => {
    const full = (attempt: number) => retryDelayMs(attempt, () => 0);
    expect([1, 2, 3, 4, 9, 10, 50].map(full)).toEqual([1_000, 2_000, 4_000, 8_000, 256_000, 300_000, 300_000]);
  });

  it('is randomly shortened by at most half', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
        const delay = retryDelayMs(attempt, () => random);
        const full = retryDelayMs(attempt, () => 0);
        expect(delay).toBeGreaterThanOrEqual(full / 2);
        expect(delay).toBeLessThanOrEqual(full);
      }),
    );
  });
});
