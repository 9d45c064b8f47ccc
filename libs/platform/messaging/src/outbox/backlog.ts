import { serviceUnavailable } from '@heliograph/errors';
import { Periodic } from '@heliograph/service-kit';
import type { Pool } from 'pg';
import { queryQuietly } from './quiet-query';
import type { Relay } from './relay';

const COUNT_EVERY_MS = 2_000;
const RETRY_AFTER_SECONDS = 30;

/** Counts at most `$1` of each. */
const COUNT = `SELECT
  (SELECT count(*)::int FROM (
    SELECT FROM messaging.outbox WHERE NOT in_lane AND available_at <= now() LIMIT $1) AS e) AS events,
  (SELECT count(*)::int FROM (SELECT FROM messaging.outbox WHERE in_lane LIMIT $1) AS j) AS jobs`;

/** Organizations with more than an equal share of `$1` waiting jobs. */
const ABOVE_SHARE = `SELECT w.lane FROM (
    SELECT o.lane, count(*) AS jobs, count(*) OVER () AS lanes FROM messaging.outbox AS o WHERE o.in_lane GROUP BY o.lane) AS w
  WHERE w.jobs > $1::integer / w.lanes`;

/**
 * Counts the due events and the waiting jobs in the outbox and rejects new ones while there are too many. If the jobs are too
 * many, only the organizations with more than an equal share of them are rejected.
 */
export class Backlog {
  /** Number of due events and waiting jobs at the last count. Counting each stops at `limit` + 1. */
  size = 0;
  private events = 0;
  private aboveShare: ReadonlySet<string> = new Set();

  constructor(
    private readonly pool: Pool,
    private readonly limit: number,
    private readonly relay: Pick<Relay, 'foundNoneAt'>,
  ) {}

  /**
   * Throws SERVICE_UNAVAILABLE while the outbox holds more due events and jobs than the limit.
   * @param organizationId whose jobs would be added; null if only events would be added
   */
  assertRoom(organizationId: string | null): void {
    const isRefused = this.events > this.limit || (organizationId !== null && this.aboveShare.has(organizationId));
    if (isRefused) throw serviceUnavailable('outbox backlog', undefined, RETRY_AFTER_SECONDS);
  }

  @Periodic({ everyMs: COUNT_EVERY_MS })
  async count(): Promise<void> {
    // An idle relay checks the outbox every second; its result replaces a second query.
    const isEmpty = performance.now() - this.relay.foundNoneAt < COUNT_EVERY_MS;
    const [row] = isEmpty
      ? []
      : await queryQuietly<{ events: number; jobs: number }>(this.pool, COUNT, [this.limit + 1]);
    const { events, jobs } = row ?? { events: 0, jobs: 0 };
    this.aboveShare = new Set(events + jobs > this.limit ? await this.lanesAboveShare() : []);
    this.events = events;
    this.size = events + jobs;
  }

  private async lanesAboveShare(): Promise<string[]> {
    const rows = await queryQuietly<{ lane: string }>(this.pool, ABOVE_SHARE, [this.limit]);
    return rows.map(({ lane }) => lane);
  }
}
