import { ChangeNotice, inTransaction, type ChangeFeed } from '@heliograph/database';
import type { Tracing } from '@heliograph/service-kit';
import type { Pool, PoolClient } from 'pg';
import type {
  AfterCommit,
  Bus,
  Consumption,
  DeadLetter,
  DeclaredQueue,
  Delivery,
  DeliveryOutcome,
  MovedEvent,
  OutgoingEvent,
  QueueDefinition,
} from '../bus';
import type { ConsumerLog } from '../event-consumer';
import { queryQuietly } from '../outbox/quiet-query';
import { traceEvents } from '../traces/trace-events';
import { addDeadLetters, addStoredEvents, type NewDeadLetter, type NewStoredEvent } from './stored-events';
import { StoredConsumer } from './stored-consumer';

/** The part of the connections of the pool that slices may hold; their consumers need the others. */
const SHARE_OF_POOL = 1 / 3;
/** Poll intervals with notifications, of which one may be lost, and without them. */
const POLL_MS = 5_000;
const UNNOTIFIED_POLL_MS = 1_000;
/** Interval of the search for events that wait on the broker in a queue of an earlier release. */
const MOVE_EVERY_MS = 60_000;

export interface StoredQueuesOptions {
  log: ConsumerLog;
  /** Reports new events to other processes. Null: for a program that only reads the queues. */
  feed: ChangeFeed | null;
  tracing?: Tracing;
  /** For tests: the poll interval. */
  pollMs?: number;
}

/**
 * A bus on which some queues are in PostgreSQL: their events are stored in the transaction that deletes them from the outbox,
 * so that the broker cannot lose them, and the organizations take turns (`StoredConsumer`). All other queues are those of the
 * given bus, which also carries every event to subscribers.
 */
export class StoredQueues implements Bus {
  private readonly queuesOf = new Map<string, string[]>();
  private readonly stored = new Set<string>();
  private readonly consumers = new Map<string, Set<StoredConsumer>>();
  private readonly notices = new Map<string, ChangeNotice>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private freeSlices: number;
  private readonly waitingSlices: (() => void)[] = [];
  /** Longest time in ms that an event of a queue has waited since the last call of `takeLongestWait`. */
  private readonly waits = new Map<string, number>();

  constructor(
    private readonly pool: Pool,
    private readonly bus: Bus,
    private readonly options: StoredQueuesOptions,
    queues: readonly DeclaredQueue[],
  ) {
    this.freeSlices = Math.max(1, Math.floor((pool.options.max ?? 10) * SHARE_OF_POOL));
    for (const { name, bindings } of queues) {
      this.stored.add(name);
      for (const type of bindings) this.queuesOf.set(type, [...(this.queuesOf.get(type) ?? []), name]);
      this.notices.set(name, new ChangeNotice((text, values) => queryQuietly(pool, text, values), subjectOf(name)));
    }
    options.feed?.subscribe((change) => {
      for (const [name, consumers] of this.consumers) {
        if (change !== 'unknown' && change.table !== subjectOf(name)) continue;
        for (const consumer of consumers) consumer.wake();
      }
    });
  }

  get ready(): boolean {
    return this.bus.ready;
  }

  get queueNames(): readonly string[] {
    return this.bus.queueNames;
  }

  start(): Promise<void> {
    return this.bus.start();
  }

  untilSetUp(timeoutMs: number): Promise<void> {
    return this.bus.untilSetUp(timeoutMs);
  }

  /** Publishes events, and adds spans to them while traces are recorded. */
  async publish(
    events: OutgoingEvent[],
    transaction: PoolClient,
    afterCommit: AfterCommit,
  ): Promise<Map<string, string>> {
    const { tracing } = this.options;
    if (!tracing?.isOn) return this.publishAll(events, transaction, afterCommit);
    const traced = await traceEvents(tracing, events, transaction);
    const refused = await this.publishAll(traced.events, transaction, afterCommit);
    traced.end(refused);
    return refused;
  }

  /** An event that the other bus rejects is stored again when it is published again; its consumers are idempotent. */
  private async publishAll(
    events: OutgoingEvent[],
    transaction: PoolClient,
    afterCommit: AfterCommit,
  ): Promise<Map<string, string>> {
    const stored: NewStoredEvent[] = [];
    for (const { type, body, queue, attempt } of events) {
      const queues = queue === null ? (this.queuesOf.get(type) ?? []) : this.stored.has(queue) ? [queue] : [];
      if (queues.length > 0) stored.push({ queues, body, attempt });
    }
    const others = events.filter(({ queue }) => queue === null || !this.stored.has(queue));
    const [refused] = await Promise.all([
      others.length > 0 ? this.bus.publish(others, transaction, afterCommit) : new Map<string, string>(),
      addStoredEvents(transaction, stored),
    ]);
    const names = new Set(stored.flatMap(({ queues }) => queues));
    afterCommit(() => this.notify(names));
    return refused;
  }

  /** Wakes the consumers of this process, or notifies those of other processes. */
  private notify(names: Iterable<string>): void {
    for (const name of names) {
      const consumers = this.consumers.get(name);
      for (const consumer of consumers ?? []) consumer.wake();
      if (!consumers && this.options.feed) this.notices.get(name)?.notify();
    }
  }

  async consume(
    queue: QueueDefinition,
    consume: (delivery: Delivery) => Promise<DeliveryOutcome>,
  ): Promise<Consumption> {
    if (!this.stored.has(queue.name)) return this.bus.consume(queue, consume);
    const { log, feed } = this.options;
    const pollMs = (): number => this.options.pollMs ?? (feed?.live ? POLL_MS : UNNOTIFIED_POLL_MS);
    const consumer = new StoredConsumer(this.pool, {
      queue,
      consume,
      log,
      onTaken: (waitedMs) => this.waits.set(queue.name, Math.max(waitedMs, this.waits.get(queue.name) ?? 0)),
      enter: () => this.enter(),
      pollMs,
    });
    const consumers = this.consumers.get(queue.name) ?? new Set();
    this.consumers.set(queue.name, consumers.add(consumer));
    const endMoving = this.moveFromBroker(queue);
    return {
      stop: async () => {
        endMoving();
        await consumer.stop();
        consumers.delete(consumer);
        if (consumers.size === 0) this.consumers.delete(queue.name);
      },
    };
  }

  subscribe(types: readonly string[], onEvent: (payload: unknown) => void): Promise<Consumption> {
    return this.bus.subscribe(types, onEvent);
  }

  async declareQueue(queue: DeclaredQueue): Promise<void> {
    if (!this.stored.has(queue.name)) await this.bus.declareQueue(queue);
  }

  async deadLetters(queue: string, limit: number): Promise<DeadLetter[]> {
    if (!this.stored.has(queue)) return this.bus.deadLetters(queue, limit);
    const { rows } = await this.pool.query<DeadLetter>(
      `SELECT coalesce(payload ->> 'id', '?') AS id, coalesce(payload ->> 'type', '?') AS type, error, payload
       FROM messaging.dead_letters WHERE queue = $1 ORDER BY id LIMIT $2`,
      [queue, limit],
    );
    return rows;
  }

  async deadLetterCount(queue: string): Promise<number | null> {
    if (!this.stored.has(queue)) return this.bus.deadLetterCount(queue);
    const { rows } = await this.pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM messaging.dead_letters WHERE queue = $1',
      [queue],
    );
    return rows[0]?.count ?? null;
  }

  async replay(queue: string, limit: number): Promise<number> {
    if (!this.stored.has(queue)) return this.bus.replay(queue, limit);
    const { rowCount } = await this.pool.query(
      `WITH replayed AS (
         DELETE FROM messaging.dead_letters WHERE id = ANY (ARRAY(
           SELECT id FROM messaging.dead_letters WHERE queue = $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED))
         RETURNING queue, payload)
       INSERT INTO messaging.outbox (id, type, payload, queue)
       SELECT gen_random_uuid(), coalesce(r.payload ->> 'type', '?'), r.payload, r.queue FROM replayed AS r`,
      [queue, limit],
    );
    return rowCount ?? 0;
  }

  async depth(queue: string): Promise<number | null> {
    if (!this.stored.has(queue)) return this.bus.depth(queue);
    const { rows } = await this.pool.query<{ depth: number }>(
      'SELECT count(*)::int AS depth FROM messaging.stored_events WHERE queue = $1',
      [queue],
    );
    return rows[0]?.depth ?? null;
  }

  /** The queues that this process consumes. */
  get consumed(): string[] {
    return [...this.consumers.keys()];
  }

  /** The longest time in ms that an event has waited before it was taken, since the last call. */
  takeLongestWait(queue: string): number {
    const waitedMs = this.waits.get(queue) ?? 0;
    this.waits.delete(queue);
    return waitedMs;
  }

  async stop(): Promise<void> {
    for (const notice of this.notices.values()) notice.stop();
    for (const timer of this.timers) clearInterval(timer);
    await this.bus.stop();
  }

  /** Resolves when fewer slices run than are allowed. */
  private async enter(): Promise<() => void> {
    if (this.freeSlices > 0) this.freeSlices--;
    else await new Promise<void>((resolve) => this.waitingSlices.push(resolve));
    return () => {
      const next = this.waitingSlices.shift();
      if (next) next();
      else this.freeSlices++;
    };
  }

  /**
   * Moves the events that wait on the broker in a queue of this name. Earlier releases kept these queues on the broker, and a
   * process of such a release may publish to them until it is replaced.
   */
  private moveFromBroker(queue: DeclaredQueue): () => void {
    const { bus } = this;
    if (!bus.moveEvents) return () => undefined;
    const move = (): void => {
      bus
        .moveEvents?.(queue, (events) => this.storeMoved(queue.name, events))
        .catch((error: unknown) =>
          this.options.log.warn(
            { err: error, queue: queue.name },
            'could not move events from the broker; they are moved later',
          ),
        );
    };
    move();
    const timer = setInterval(move, MOVE_EVERY_MS).unref();
    this.timers.add(timer);
    return () => clearInterval(timer);
  }

  private async storeMoved(queue: string, events: readonly MovedEvent[]): Promise<void> {
    const waiting: NewStoredEvent[] = [];
    const dead: NewDeadLetter[] = [];
    for (const { body, attempt, error } of events) {
      if (error === null) waiting.push({ queues: [queue], body, attempt });
      else dead.push({ queue, body, error });
    }
    await inTransaction(this.pool, async (client) => {
      await addStoredEvents(client, waiting);
      await addDeadLetters(client, dead);
    });
  }
}

/** The `table` of the changes that report new events of a queue. */
function subjectOf(queue: string): string {
  return `messaging.stored_events/${queue}`;
}
