import { Health, HealthProblem, Periodic } from '@heliograph/service-kit';
import { Gauge, type Registry } from 'prom-client';
import type { Pool, PoolClient } from 'pg';
import type { Bus } from '../bus';
import { depthOf } from '../depth-of';
import type { ConsumerLog } from '../event-consumer';
import { queryQuietly } from '../outbox/quiet-query';
import { JOB_SOURCES, requeueJobs, type JobSourceName } from './job-sources';

const EVERY_MS = 15_000;
/** Several processes take turns. */
const TURN = `${EVERY_MS / 2} milliseconds`;
/** Maximum number of jobs of one run. While the queue holds as many, its jobs are waiting and not lost. */
const BATCH = 5_000;
/** A run of one source examines pieces for at most this long. */
const RUN_MS = 2_000;
/** Transactions may commit jobs with earlier times for this long. */
const LATE_COMMITS = "interval '1 minute'";
/** Records of requeued jobs are kept for this long. */
const KEPT = "interval '30 days'";
/** The service is degraded when a job is due for this multiple of the time after which it is published again. */
const DEGRADED_AFTER = 3;

export interface SweeperOptions {
  sources: readonly JobSourceName[];
  /** A job is published again when it is due and unfinished for this long. */
  afterMs: number;
}

/**
 * Finds jobs that are due and unfinished for a long time, for example because the broker lost its data, and publishes them
 * again. Consumers claim jobs by state, so a job that was not lost has no second effect. Each source is examined in the
 * order of its times, from the first unfinished job on, so that every finished job is read about once.
 */
export class Sweeper {
  private readonly oldest = new Map<JobSourceName, Date | null>();

  constructor(
    private readonly pool: Pool,
    private readonly bus: Bus,
    private readonly log: ConsumerLog,
    private readonly options: SweeperOptions,
  ) {}

  /** Age of the oldest unfinished job in ms; null if unknown. */
  oldestAgeMs(source: JobSourceName): number | null {
    const at = this.oldest.get(source);
    return at === undefined ? null : at === null ? 0 : Math.max(0, Date.now() - at.getTime());
  }

  @Periodic({ everyMs: EVERY_MS, role: 'worker' })
  async sweep(): Promise<void> {
    for (const source of this.options.sources) {
      await this.sweepOne(source);
      const rows = await queryQuietly<{ at: Date | null }>(
        this.pool,
        'SELECT oldest_at AS at FROM messaging.sweeps WHERE source = $1',
        [source],
      );
      this.oldest.set(source, rows[0]?.at ?? null);
    }
  }

  registerMetrics(registry: Registry): void {
    const { sources } = this.options;
    const ageOf = (source: JobSourceName): number | null => this.oldestAgeMs(source);
    new Gauge({
      name: 'oldest_unfinished_seconds',
      help: 'Time since the oldest unfinished job of a channel is due',
      labelNames: ['channel'],
      registers: [registry],
      collect() {
        this.reset();
        for (const source of sources) {
          const ageMs = ageOf(source);
          if (ageMs !== null) this.set({ channel: source }, ageMs / 1000);
        }
      },
    });
  }

  registerHealth(health: Health): void {
    for (const source of this.options.sources) {
      health.register(`oldest ${source}`, false, () => {
        const ageMs = this.oldestAgeMs(source) ?? 0;
        if (ageMs > DEGRADED_AFTER * this.options.afterMs)
          throw new HealthProblem(`the oldest unfinished job is due for ${Math.round(ageMs / 1000)} s`);
      });
    }
  }

  private async sweepOne(source: JobSourceName): Promise<void> {
    const depth = await depthOf(this.bus, JOB_SOURCES[source].queues);
    const most = depth !== null && depth < BATCH && this.bus.ready ? BATCH : 0;
    const client = await this.pool.connect();
    let failure: Error | undefined;
    try {
      const startedAt = performance.now();
      let requeued = 0;
      let isComplete = false;
      for (let first = true; !isComplete && (first || performance.now() - startedAt < RUN_MS); first = false) {
        await client.query('BEGIN');
        const from = await takeTurn(client, source, first);
        if (from === undefined) {
          await client.query('COMMIT');
          return;
        }
        const options = { from, olderThanMs: this.options.afterMs, started: null, most: most - requeued };
        const piece = await requeueJobs(client, source, options);
        requeued += piece.requeued;
        isComplete = piece.nextAt === null;
        await client.query(
          `UPDATE messaging.sweeps SET swept_at = clock_timestamp(),
             position = coalesce($2, least(hold_at, $3, now() - ${LATE_COMMITS})),
             hold_at = CASE WHEN $2::timestamptz IS NOT NULL THEN least(hold_at, $3) END,
             found_at = CASE WHEN $2::timestamptz IS NOT NULL THEN least(found_at, $4) END,
             oldest_at = CASE WHEN $2::timestamptz IS NOT NULL THEN oldest_at ELSE least(found_at, $4) END
           WHERE source = $1`,
          [source, piece.nextAt, piece.holdAt, piece.oldestAt],
        );
        await client.query('COMMIT');
      }
      if (requeued > 0) this.log.warn({ source, jobs: requeued }, 'published jobs again that were due for a long time');
      if (isComplete) await client.query(`DELETE FROM messaging.requeues WHERE requeued_at < now() - ${KEPT}`);
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      // After an error, the transaction may be open.
      client.release(failure);
    }
  }
}

/** Locks the source for this transaction. Returns where to continue; undefined if another process sweeps it. */
async function takeTurn(client: PoolClient, source: string, isFirst: boolean): Promise<Date | null | undefined> {
  await client.query('INSERT INTO messaging.sweeps (source) VALUES ($1) ON CONFLICT DO NOTHING', [source]);
  const { rows } = await client.query<{ position: Date | null }>(
    `SELECT CASE WHEN isfinite(position) THEN position END AS position FROM messaging.sweeps
     WHERE source = $1 AND (NOT $2 OR swept_at IS NULL OR swept_at < now() - interval '${TURN}') FOR UPDATE SKIP LOCKED`,
    [source, isFirst],
  );
  return rows[0]?.position ?? (rows.length > 0 ? null : undefined);
}
