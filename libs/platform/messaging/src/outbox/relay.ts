import type { Pool, PoolClient } from 'pg';
import type { Bus, OutgoingEvent } from '../bus';
import type { OutboxNotifications } from './outbox-notifications';
import { markQuiet, queryQuietly } from './quiet-query';

/** Poll interval during activity, and without notifications. */
const BUSY_POLL_MS = 50;
/** Poll interval when idle: for scheduled events, and for programs that send no notifications. */
const IDLE_POLL_MS = 1_000;
/** Poll interval of the second loop when idle; the first loop wakes it when it moves events. */
const HELPER_POLL_MS = 30_000;
/** The relay counts as active for this long after the last event. */
const BUSY_MS = 200;
/** Delay of the check after a notification, so that several uses of the database cause one check. */
const NOTIFICATION_DELAY_MS = 5;
const UNAVAILABLE_POLL_MS = 500;
const BATCH = 500;
const LOOPS = 2;
const REFUSED_DELAY = "interval '5 seconds'";

const TAKE = 'SELECT * FROM messaging.take_due($1)';
const IS_DUE = 'SELECT FROM messaging.outbox WHERE available_at <= now() LIMIT 1';

interface TakenRow extends OutgoingEvent {
  available_at: Date;
}

export interface RelayLog {
  warn(fields: Record<string, unknown>, message: string): void;
}

/**
 * Publishes committed events from the outbox, oldest first. The transaction that deletes the rows stays open until the
 * bus has confirmed them: if a relay crashes, its rows remain, and several relays do not see each other's rows. An
 * event can be published twice, but is never lost.
 */
export class Relay {
  private running = false;
  private loops: Promise<void>[] = [];
  private wakers = new Set<() => void>();
  private woken = false;
  /** Time at which the relay last moved an event. */
  private movedAt = -Infinity;
  /** Time at which a notification last caused a check of the outbox. */
  private checkedAt = -Infinity;
  private scheduledCheck: NodeJS.Timeout | null = null;
  private isNotified = false;
  private wakeFirst: () => void = () => undefined;
  private wakeHelper: () => void = () => undefined;
  private unsubscribe: () => void = () => undefined;
  /** Time (`performance.now()`) of the last check that found no due event in the outbox. */
  foundNoneAt = -Infinity;
  published = 0;
  refused = 0;

  constructor(
    private readonly pool: Pool,
    private readonly bus: Bus,
    private readonly log: RelayLog,
    /** Null: the relay polls often. */
    private readonly notifications: OutboxNotifications | null = null,
    private readonly idlePollMs = IDLE_POLL_MS,
  ) {}

  start(): void {
    if (this.running) return;
    this.running = true;
    this.unsubscribe = this.notifications?.subscribe(() => this.scheduleCheck()) ?? this.unsubscribe;
    this.loops = Array.from({ length: LOOPS }, (_, index) => this.loop(index === 0));
  }

  /** Checks the outbox now instead of at the next poll. Called after a commit in this process. */
  wake(): void {
    this.woken = true;
    for (const wake of this.wakers) wake();
  }

  async stop(): Promise<void> {
    this.running = false;
    this.unsubscribe();
    if (this.scheduledCheck) clearTimeout(this.scheduledCheck);
    this.wake();
    await Promise.all(this.loops);
  }

  /** Schedules a check of the outbox, unless the relay is active and polls often anyway. */
  private scheduleCheck(): void {
    if (this.scheduledCheck || !this.isIdle) return;
    const delayMs = Math.max(NOTIFICATION_DELAY_MS, this.checkedAt + BUSY_POLL_MS - performance.now());
    this.scheduledCheck = setTimeout(() => {
      this.scheduledCheck = null;
      this.checkedAt = performance.now();
      this.isNotified = true;
      this.wakeFirst();
    }, delayMs);
    this.scheduledCheck.unref();
  }

  private get isIdle(): boolean {
    return (this.notifications?.areReliable ?? false) && performance.now() - this.movedAt > BUSY_MS;
  }

  private async loop(isFirst: boolean): Promise<void> {
    let foundNone = false;
    while (this.running) {
      try {
        if (!this.bus.ready) {
          await this.pause(UNAVAILABLE_POLL_MS);
          continue;
        }
        // Without a sign of new events, one query checks for them before a transaction takes them.
        const checksFirst: boolean = this.isIdle || (foundNone && !this.woken);
        this.woken = false;
        if (isFirst) this.isNotified = false;
        const moved: number = checksFirst && !(await this.isDue()) ? 0 : await this.moveBatch();
        foundNone = moved === 0;
        if (moved > 0) {
          this.movedAt = performance.now();
          if (isFirst) this.wakeHelper();
        }
        if (moved === BATCH || this.woken || (isFirst && this.isNotified)) continue;
        if (isFirst) await this.pause(this.isIdle ? this.idlePollMs : BUSY_POLL_MS, (wake) => (this.wakeFirst = wake));
        else await this.pause(this.isIdle ? HELPER_POLL_MS : BUSY_POLL_MS, (wake) => (this.wakeHelper = wake));
      } catch (error) {
        this.log.warn({ err: error }, 'the relay could not publish events; it retries');
        await this.pause(UNAVAILABLE_POLL_MS);
      }
    }
  }

  private async isDue(): Promise<boolean> {
    const isDue = (await queryQuietly(this.pool, IS_DUE)).length > 0;
    if (!isDue) this.foundNoneAt = performance.now();
    return isDue;
  }

  private async moveBatch(): Promise<number> {
    const client = await this.pool.connect();
    const unmark = markQuiet(client);
    let broken: Error | undefined;
    // Otherwise a connection that breaks during the publishing would raise an unhandled `error` event.
    const onError = (error: Error): void => void (broken = error);
    client.on('error', onError);
    try {
      await client.query('BEGIN');
      const { rows } = await client.query<TakenRow>({ name: 'outbox-take', text: TAKE, values: [BATCH] });
      if (rows.length > 0) {
        rows.sort((a, b) => a.available_at.getTime() - b.available_at.getTime());
        const refused = await this.bus.publish(rows, client);
        if (refused.size > 0) await this.returnToOutbox(client, rows, refused);
        this.published += rows.length - refused.size;
        this.refused += refused.size;
      }
      await client.query('COMMIT');
      if (rows.length > 0) this.bus.committed?.(client);
      return rows.length;
    } catch (error) {
      if (!broken) await client.query('ROLLBACK').catch((failure: Error) => (broken = failure));
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
      unmark();
    }
  }

  private async returnToOutbox(client: PoolClient, rows: TakenRow[], refused: Map<string, string>): Promise<void> {
    const returned = rows.filter(({ id }) => refused.has(id));
    const [first] = refused.values();
    this.log.warn({ events: returned.length, reason: first }, 'the bus rejected events; they are retried');
    await client.query(
      `INSERT INTO messaging.outbox (id, type, payload, queue, attempt, available_at)
       SELECT id, type, body::json, queue, attempt, now() + ${REFUSED_DELAY}
       FROM json_to_recordset($1::json) AS r(id uuid, type text, body text, queue text, attempt integer)`,
      [JSON.stringify(returned)],
    );
  }

  private pause(ms: number, onWakeable: (wake: () => void) => void = () => undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.wakers.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.wakers.add(done);
      onWakeable(done);
      if (!this.running) done();
    });
  }
}
