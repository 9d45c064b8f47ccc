import type { Pool, PoolClient } from 'pg';
import type { AfterCommit, Bus, OutgoingEvent } from '../bus';
import { DEFAULT_JOB_OPTIONS, JobFeeder, type JobFeederOptions } from '../jobs/job-feeder';
import type { OutboxNotifications } from './outbox-notifications';
import { queryQuietly } from './quiet-query';
import { inQuietTransaction } from './quiet-transaction';

/** Poll interval during activity, and without notifications. */
const BUSY_POLL_MS = 50;
/** Poll interval when idle: for scheduled events, and for programs that send no notifications. */
const IDLE_POLL_MS = 1_000;
/** Poll interval of the other loops when idle; the first loop wakes them when it finds events or jobs. */
const HELPER_POLL_MS = 30_000;
/** The relay counts as active for this long after the last event. */
const BUSY_MS = 200;
/** Delay of the check after a notification, so that several uses of the database cause one check. */
const NOTIFICATION_DELAY_MS = 5;
const UNAVAILABLE_POLL_MS = 500;
const BATCH = 500;
/** Smaller, because the event of another organization waits until the current batches are published. As fast in events per second. */
const BATCH_IN_TURNS = 250;
const REFUSED_DELAY = "interval '5 seconds'";

const TAKE = 'SELECT * FROM messaging.take_events($1)';
const TAKE_IN_TURNS = 'SELECT * FROM messaging.take_in_turns($1, $2)';
const DUE = `SELECT EXISTS (SELECT FROM messaging.outbox WHERE NOT in_lane AND available_at <= now()) AS events,
  EXISTS (SELECT FROM messaging.outbox WHERE in_lane) AS jobs`;

interface TakenRow extends Omit<OutgoingEvent, 'body'> {
  available_at: Date;
  /** Null: a job that entered its lane. */
  body: string | null;
  /** The organization that `take_in_turns` examined last. */
  served?: string;
}

/** A publication of jobs to a queue. */
interface QueueFeed {
  /** Jobs were found after its last batch was taken. */
  hasNewJobs: boolean;
  ended: Promise<void>;
}

export interface RelayLog {
  warn(fields: Record<string, unknown>, message: string): void;
}

/**
 * Publishes committed events from the outbox, oldest first, and the jobs of workers in turns: see JobFeeder. While more
 * events are due than a batch contains, the organizations take turns. The transaction that deletes the rows stays open until the
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
  private endFeederPause: () => void = () => undefined;
  private feederIsWoken = false;
  /** The queues to which this process publishes jobs at the moment. */
  private readonly feeding = new Map<string, QueueFeed>();
  private readonly feeder: JobFeeder;
  private unsubscribe: () => void = () => undefined;
  /** Whether the last batch was full: more events may be due. */
  private hasBacklog = true;
  /** The organization whose turn was last. */
  private served: string | null = null;
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
    jobs: JobFeederOptions = DEFAULT_JOB_OPTIONS,
    private readonly idlePollMs = IDLE_POLL_MS,
  ) {
    this.feeder = new JobFeeder(pool, bus, jobs, (events, reason) => this.logRefused(events, reason));
  }

  start(): void {
    if (this.running) return;
    this.running = true;
    this.unsubscribe = this.notifications?.subscribe(() => this.scheduleCheck()) ?? this.unsubscribe;
    this.loops = [this.loop(true), this.loop(false), this.feedJobs()];
  }

  /** Checks the outbox now instead of at the next poll. Called after a commit in this process. */
  wake(): void {
    this.woken = true;
    this.feederIsWoken = true;
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
          // Some of them may be jobs that entered their lane.
          this.wakeFeeder();
        }
        if (this.hasBacklog || this.woken || (isFirst && this.isNotified)) continue;
        if (isFirst) await this.pause(this.isIdle ? this.idlePollMs : BUSY_POLL_MS, (wake) => (this.wakeFirst = wake));
        else await this.pause(this.isIdle ? HELPER_POLL_MS : BUSY_POLL_MS, (wake) => (this.wakeHelper = wake));
      } catch (error) {
        this.log.warn({ err: error }, 'the relay could not publish events; it retries');
        await this.pause(UNAVAILABLE_POLL_MS);
      }
    }
  }

  private async isDue(): Promise<boolean> {
    const [due] = await queryQuietly<{ events: boolean; jobs: boolean }>(this.pool, DUE);
    if (due?.jobs) this.wakeFeeder();
    else if (!due?.events) this.foundNoneAt = performance.now();
    if (!due?.events) this.hasBacklog = false;
    return due?.events ?? false;
  }

  private wakeFeeder(): void {
    this.feederIsWoken = true;
    this.endFeederPause();
  }

  /** Publishes jobs until the relay is stopped. A queue does not wait until the jobs of another one are published. */
  private async feedJobs(): Promise<void> {
    while (this.running) {
      try {
        if (!this.bus.ready) {
          await this.pause(UNAVAILABLE_POLL_MS);
          continue;
        }
        this.feederIsWoken = false;
        const queues = await this.feeder.queuesWithJobs();
        for (const queue of queues) this.startFeed(queue);
        if (this.feederIsWoken) continue;
        const waitMs = queues.length > 0 || !this.isIdle ? BUSY_POLL_MS : HELPER_POLL_MS;
        await this.pause(waitMs, (wake) => (this.endFeederPause = wake));
      } catch (error) {
        this.logFeedFailure(error);
        await this.pause(UNAVAILABLE_POLL_MS);
      }
    }
    await Promise.all([...this.feeding.values()].map(({ ended }) => ended));
  }

  private startFeed(queue: string): void {
    const running = this.feeding.get(queue);
    if (running) {
      running.hasNewJobs = true;
      return;
    }
    const feed: QueueFeed = { hasNewJobs: true, ended: Promise.resolve() };
    this.feeding.set(queue, feed);
    feed.ended = this.feedQueue(queue, feed);
  }

  /** Publishes jobs to a queue until it has no room, or no more jobs wait. */
  private async feedQueue(queue: string, feed: QueueFeed): Promise<void> {
    try {
      for (let hasRoom = false; (hasRoom || feed.hasNewJobs) && this.running;) {
        feed.hasNewJobs = false;
        const fed = await this.feeder.feed(queue);
        this.published += fed.published;
        this.refused += fed.refused;
        if (fed.published > 0) this.movedAt = performance.now();
        hasRoom = fed.hasRoom;
      }
    } catch (error) {
      this.logFeedFailure(error);
      await this.pause(UNAVAILABLE_POLL_MS);
    } finally {
      this.feeding.delete(queue);
    }
  }

  private logFeedFailure(error: unknown): void {
    this.log.warn({ err: error }, 'the relay could not publish jobs; it retries');
  }

  private moveBatch(): Promise<number> {
    const move = async (client: PoolClient, afterCommit: AfterCommit): Promise<number> => {
      const rows = await this.take(client);
      const events = rows.filter((row): row is TakenRow & OutgoingEvent => row.body !== null);
      if (events.length > 0) {
        events.sort((a, b) => a.available_at.getTime() - b.available_at.getTime());
        const refused = await this.bus.publish(events, client, afterCommit);
        if (refused.size > 0) await this.returnToOutbox(client, events, refused);
        this.published += events.length - refused.size;
        this.refused += refused.size;
      }
      return rows.length;
    };
    return inQuietTransaction(this.pool, move);
  }

  private async take(client: PoolClient): Promise<TakenRow[]> {
    const most = this.hasBacklog ? BATCH_IN_TURNS : BATCH;
    const query = this.hasBacklog
      ? { name: 'outbox-take-in-turns', text: TAKE_IN_TURNS, values: [most, this.served] }
      : { name: 'outbox-take-events', text: TAKE, values: [most] };
    const { rows } = await client.query<TakenRow>(query);
    this.hasBacklog = rows.length === most;
    this.served = rows[0]?.served ?? this.served;
    return rows;
  }

  private async returnToOutbox(
    client: PoolClient,
    events: OutgoingEvent[],
    refused: Map<string, string>,
  ): Promise<void> {
    const returned = events.filter(({ id }) => refused.has(id));
    const [first] = refused.values();
    this.logRefused(returned.length, first);
    await client.query(
      `INSERT INTO messaging.outbox (id, type, payload, queue, attempt, available_at)
       SELECT id, type, body::json, queue, attempt, now() + ${REFUSED_DELAY}
       FROM json_to_recordset($1::json) AS r(id uuid, type text, body text, queue text, attempt integer)`,
      [JSON.stringify(returned)],
    );
  }

  private logRefused(events: number, reason: string | undefined): void {
    this.log.warn({ events, reason }, 'the bus rejected events; they are retried');
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
