import type { Pool, PoolClient } from 'pg';
import type { Consumption, Delivery, DeliveryOutcome, QueueDefinition } from '../bus';
import type { ConsumerLog } from '../event-consumer';
import { addRetryToOutbox } from '../outbox/outbox';
import { queryQuietly } from '../outbox/quiet-query';
import { inQuietTransaction } from '../outbox/quiet-transaction';
import { addDeadLetters, addStoredEvents, type TakenEvent } from './stored-events';

/** Poll interval of the second loop, which the first one wakes when there is more than one slice. */
const HELPER_POLL_MS = 30_000;
const UNAVAILABLE_POLL_MS = 500;
/** Slices that run concurrently, so that the consumers of one are not idle while another is committed. */
const LOOPS = 2;
/** A slice ends after this time, so that a slow event does not delay the others. The slow one is delivered again later. */
const SLICE_MS = 500;
/** Delay before an event is delivered again whose consumer has not ended in time. */
const AGAIN_MS = 30_000;
const MAX_ERROR_LENGTH = 1_000;

export interface StoredConsumerOptions {
  queue: QueueDefinition;
  consume: (delivery: Delivery) => Promise<DeliveryOutcome>;
  log: ConsumerLog;
  /** Reports how long an event has waited. */
  onTaken: (waitedMs: number) => void;
  /** Resolves when a slice may use a connection; the result ends its use. */
  enter: () => Promise<() => void>;
  /** The poll interval for events whose notification was lost. */
  pollMs: () => number;
}

/**
 * Consumes a queue in PostgreSQL in slices of a few events. The transaction that deletes the events of a slice stays open
 * until their consumers have ended, so that a crash returns them at once and several consumers do not see each other's
 * events. The organizations take turns: an organization without a backlog waits for one slice at most.
 */
export class StoredConsumer implements Consumption {
  private running = true;
  private isWoken = false;
  private wakeHelpers: () => void = () => undefined;
  /** The organization that was served last. */
  private position: string | null = null;
  private readonly wakers = new Set<() => void>();
  private readonly loops: Promise<void>[];
  /** Events whose slice has ended before their consumer, by organization. */
  private readonly held = new Map<string, number>();
  private readonly late = new Set<Promise<unknown>>();

  constructor(
    private readonly pool: Pool,
    private readonly options: StoredConsumerOptions,
  ) {
    const { prefetch } = options.queue;
    const loops = Math.min(LOOPS, prefetch);
    const most = Math.ceil(prefetch / loops);
    this.loops = Array.from({ length: loops }, (_, index) => this.loop(index === 0, most));
  }

  /** There may be new events. */
  wake(): void {
    this.isWoken = true;
    for (const wake of this.wakers) wake();
  }

  async stop(): Promise<void> {
    this.running = false;
    this.wake();
    this.wakeHelpers();
    await Promise.all(this.loops);
    await Promise.all(this.late);
  }

  private async loop(isFirst: boolean, most: number): Promise<void> {
    const { pollMs, queue, log } = this.options;
    let found = 0;
    while (this.running) {
      try {
        if (isFirst) this.isWoken = false;
        // One query checks for events before a transaction takes them.
        found = found > 0 || (await this.isWaiting()) ? await this.slice(most) : 0;
        if (isFirst && found >= most) this.wakeHelpers();
        if (found > 0 || (isFirst && this.isWoken)) continue;
        if (isFirst) await this.pause(pollMs(), (wake) => this.wakers.add(wake));
        else await this.pause(HELPER_POLL_MS, (wake) => (this.wakeHelpers = wake));
      } catch (error) {
        log.warn({ err: error, queue: queue.name }, 'could not consume stored events; they are consumed later');
        await this.pause(UNAVAILABLE_POLL_MS, (wake) => this.wakers.add(wake));
      }
    }
  }

  private async isWaiting(): Promise<boolean> {
    const rows = await queryQuietly(this.pool, {
      name: 'stored-waiting',
      text: 'SELECT FROM messaging.stored_events WHERE queue = $1 LIMIT 1',
      values: [this.options.queue.name],
    });
    return rows.length > 0;
  }

  /** Returns the number of events. */
  private async slice(most: number): Promise<number> {
    const leave = await this.options.enter();
    try {
      return await this.consumeSlice(most);
    } finally {
      leave();
    }
  }

  private consumeSlice(most: number): Promise<number> {
    return inQuietTransaction(this.pool, async (client) => {
      const events = await this.take(client, most);
      const outcomes = await this.settle(events);
      await this.store(client, events, outcomes);
      return events.length;
    });
  }

  private async take(client: PoolClient, most: number): Promise<TakenEvent[]> {
    const { queue, onTaken } = this.options;
    const { rows } = await client.query<TakenEvent>({
      name: 'stored-take',
      text: `SELECT id, organization_id AS "organizationId", payload, attempt,
         extract(epoch FROM clock_timestamp() - stored_at)::float * 1000 AS "waitedMs"
       FROM messaging.take_stored($1, $2, $3, $4)`,
      values: [queue.name, this.position, most, [...this.held.keys()]],
    });
    this.position = lastServed(rows, this.position);
    for (const { waitedMs } of rows) onTaken(waitedMs);
    return rows.sort((a, b) => Number(BigInt(a.id) - BigInt(b.id)));
  }

  /** The outcome of each event; undefined for one whose consumer has not ended in time. */
  private async settle(events: readonly TakenEvent[]): Promise<(DeliveryOutcome | undefined)[]> {
    const outcomes: (DeliveryOutcome | undefined)[] = events.map(() => undefined);
    const consumed = events.map(async ({ payload, attempt }, index) => {
      outcomes[index] = await this.options.consume({ payload, attempt });
    });
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<void>((resolve) => (timer = setTimeout(resolve, SLICE_MS)));
    await Promise.race([Promise.all(consumed), deadline]);
    clearTimeout(timer);
    const ended = [...outcomes];
    for (const [index, event] of events.entries()) {
      const consumer = consumed[index];
      if (ended[index] === undefined && consumer) this.hold(event, consumer);
    }
    return ended;
  }

  /** Takes no events of the organization until the consumer of its slow event has ended. */
  private hold({ organizationId }: TakenEvent, consumer: Promise<unknown>): void {
    const { log, queue } = this.options;
    const others = this.held.get(organizationId) ?? 0;
    if (others === 0)
      log.warn({ queue: queue.name, organizationId }, 'held back the events of an organization whose events take long');
    this.held.set(organizationId, others + 1);
    const late = consumer
      .catch((error: unknown) => log.warn({ err: error, queue: queue.name }, 'could not settle an event'))
      .finally(() => {
        const remaining = (this.held.get(organizationId) ?? 1) - 1;
        if (remaining > 0) this.held.set(organizationId, remaining);
        else this.held.delete(organizationId);
        this.late.delete(late);
        this.wake();
      });
    this.late.add(late);
  }

  private async store(
    client: PoolClient,
    events: readonly TakenEvent[],
    outcomes: readonly (DeliveryOutcome | undefined)[],
  ): Promise<void> {
    const { name: queue } = this.options.queue;
    for (const [index, { payload, attempt }] of events.entries()) {
      const outcome = outcomes[index];
      if (outcome?.kind === 'ack') continue;
      if (outcome?.kind === 'deadLetter') {
        await addDeadLetters(client, [
          { queue, body: JSON.stringify(payload), error: outcome.error.slice(0, MAX_ERROR_LENGTH) },
        ]);
      } else if (outcome?.kind === 'requeue') {
        await addStoredEvents(client, [{ queues: [queue], body: JSON.stringify(payload), attempt }]);
      } else {
        await addRetryToOutbox(client, { queue, payload, attempt, delayMs: AGAIN_MS });
      }
    }
  }

  private pause(ms: number, onWakeable: (wake: () => void) => void): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.wakers.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      onWakeable(done);
      if (!this.running) done();
    });
  }
}

/** The last organization in the order of `take_stored`: ascending, beginning after `position`. */
function lastServed(events: readonly TakenEvent[], position: string | null): string | null {
  const ids = events.map(({ organizationId }) => organizationId);
  const wrapped = ids.filter((id) => position !== null && id <= position);
  const [last = position] = (wrapped.length > 0 ? wrapped : ids).sort().reverse();
  return last;
}
