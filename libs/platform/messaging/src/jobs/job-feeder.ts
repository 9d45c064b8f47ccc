import { JOB_KINDS, routingKeyOf, type JobKind } from '@heliograph/contracts';
import type { LaneObserver } from '@heliograph/fairness';
import type { Pool, PoolClient } from 'pg';
import type { AfterCommit, Bus, OutgoingEvent } from '../bus';
import { queryQuietly } from '../outbox/quiet-query';
import { inQuietTransaction } from '../outbox/quiet-transaction';
import { observeFlow, type QueueFlow } from './queue-flow';

/** Maximum number of jobs of a publication. */
const BATCH = 500;
/** Waits of this length are logged with the id of the organization. */
const HELD_BACK_MS = 1_000;
const REFUSED_DELAY = "interval '5 seconds'";

/** The queues with waiting jobs. */
const WAITING = `SELECT q.queue FROM messaging.job_queues AS q
  WHERE EXISTS (SELECT FROM messaging.outbox AS o WHERE o.in_lane AND o.job_queue = q.queue)`;
const LOCK = `SELECT published::float8, flow, was_full AS "wasFull", (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at
  FROM messaging.job_queues WHERE queue = $1 FOR UPDATE SKIP LOCKED`;
const TAKE = `SELECT id, type, body, queue, attempt, available_at AS "dueAt", job_queue AS "jobQueue", kind, lane
  FROM messaging.take_jobs($1, $2, $3, $4, $5)`;
const SAVE = 'UPDATE messaging.job_queues SET flow = $2, was_full = true WHERE queue = $1';

interface TakenJob extends OutgoingEvent {
  jobQueue: string;
  kind: number;
  lane: string;
  dueAt: Date;
}

interface LockedQueue {
  published: number;
  flow: QueueFlow | null;
  wasFull: boolean;
  /** Milliseconds. */
  at: number;
}

export interface JobFeederOptions {
  /** Shares of the kinds while jobs of all kinds wait. */
  weights: Readonly<Record<JobKind, number>>;
  /** Only the jobs that the consumers take in this time wait in the broker. */
  windowMs: number;
  /** Counts how long jobs have waited. */
  observer?: Pick<LaneObserver, 'countWait' | 'logHeldBack'>;
}

export const DEFAULT_JOB_OPTIONS: JobFeederOptions = {
  weights: { single: 16, bulk: 4, campaign: 1 },
  windowMs: 250,
};

/** The result of feeding a queue once. */
export interface Fed {
  published: number;
  refused: number;
  /** Whether jobs may wait, because a window is full or another process feeds the queue. */
  remain: boolean;
  /** Whether more jobs can be published at once. */
  hasRoom: boolean;
}

/**
 * Publishes the jobs that wait in the lanes of the outbox, in turns by kind and organization. Only a short window of them
 * stands in each queue of the broker, because a queue is first in, first out: what stands in it cannot be overtaken by
 * the job of another organization. One process at a time feeds a queue; it holds the lock of its row.
 */
export class JobFeeder {
  private readonly weights: readonly number[];

  constructor(
    private readonly pool: Pool,
    private readonly bus: Bus,
    private readonly options: JobFeederOptions,
    private readonly onRefused: (events: number, reason: string | undefined) => void,
  ) {
    this.weights = JOB_KINDS.map((kind) => options.weights[kind]);
  }

  /** Resolves with the names of the queues whose jobs wait. */
  async queuesWithJobs(): Promise<string[]> {
    const queues = await queryQuietly<{ queue: string }>(this.pool, { name: 'job-queues-waiting', text: WAITING });
    return queues.map(({ queue }) => queue);
  }

  /** Publishes up to a batch of jobs to a queue that has room. */
  feed(queue: string): Promise<Fed> {
    const publish = async (client: PoolClient, afterCommit: AfterCommit): Promise<Fed> => {
      const { rows } = await client.query<LockedQueue>({ name: 'job-queue-lock', text: LOCK, values: [queue] });
      const [locked] = rows;
      if (!locked) return { published: 0, refused: 0, remain: true, hasRoom: false };
      // Measured under the lock, so that jobs of another process are included.
      const depth = (await this.bus.depth(queue)) ?? 0;
      const { published, at, wasFull } = locked;
      const flow = observeFlow(locked.flow, { depth, published, at }, { windowMs: this.options.windowMs, wasFull });
      const room = Math.floor(flow.window) - depth;
      if (room <= 0) {
        await client.query({ name: 'job-queue-save', text: SAVE, values: [queue, flow] });
        return { published: 0, refused: 0, remain: true, hasRoom: false };
      }
      const wanted = Math.min(room, BATCH);
      const values = [queue, wanted, this.weights, flow, wanted === room];
      const { rows: jobs } = await client.query<TakenJob>({ name: 'jobs-take', text: TAKE, values });
      for (const job of jobs) job.routingKey = routingKeyOf(job.type, queue);
      const refused = jobs.length > 0 ? await this.bus.publish(jobs, client, afterCommit) : new Map<string, string>();
      if (refused.size > 0) await this.returnToOutbox(client, jobs, refused);
      this.observe(jobs, at);
      return {
        published: jobs.length - refused.size,
        refused: refused.size,
        remain: jobs.length === wanted,
        hasRoom: jobs.length === BATCH && room > BATCH,
      };
    };
    return inQuietTransaction(this.pool, publish);
  }

  private observe(jobs: readonly TakenJob[], at: number): void {
    const { observer } = this.options;
    if (!observer) return;
    const observedLanes = new Set<string>();
    for (const { jobQueue: stage, kind: number, lane: owner, dueAt } of jobs) {
      const kind = JOB_KINDS[number - 1] ?? 'bulk';
      const waitedMs = Math.max(0, at - dueAt.getTime());
      observer.countWait(stage, kind, waitedMs);
      const lane = `${kind} ${owner}`;
      if (waitedMs <= HELD_BACK_MS || observedLanes.has(lane)) continue;
      observedLanes.add(lane);
      observer.logHeldBack({ stage, kind, owner }, 'waiting', waitedMs);
    }
  }

  private async returnToOutbox(client: PoolClient, jobs: TakenJob[], refused: Map<string, string>): Promise<void> {
    const returned = jobs.filter(({ id }) => refused.has(id));
    const [first] = refused.values();
    this.onRefused(returned.length, first);
    await client.query(
      `INSERT INTO messaging.outbox (id, type, payload, queue, attempt, available_at, job_queue, kind, lane)
       SELECT id, type, body::json, queue, attempt, now() + ${REFUSED_DELAY}, "jobQueue", kind, lane
       FROM json_to_recordset($1::json) AS r(
         id uuid, type text, body text, queue text, attempt integer, "jobQueue" text, kind smallint, lane uuid)`,
      [JSON.stringify(returned)],
    );
  }
}
