import { serviceUnavailable } from '@heliograph/errors';
import type { Pool } from 'pg';

const LOOK_EVERY_MS = 2_000;

/** Watches how many due events wait in the outbox, and refuses more once there are too many. */
export class Backlog {
  private timer: NodeJS.Timeout | null = null;
  /** Due events that waited at the last look, counted up to one more than the limit. */
  size = 0;

  constructor(
    private readonly pool: Pool,
    private readonly limit: number,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.look(), LOOK_EVERY_MS);
    this.timer.unref();
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** Throws SERVICE_UNAVAILABLE while the bus is so far behind that accepting more would be a promise too many. */
  assertRoom(): void {
    if (this.size > this.limit) throw serviceUnavailable('outbox backlog', undefined, 30);
  }

  private async look(): Promise<void> {
    try {
      const { rows } = await this.pool.query<{ size: number }>(
        'SELECT count(*)::int AS size FROM (SELECT 1 FROM messaging.outbox WHERE available_at <= now() LIMIT $1) AS due',
        [this.limit + 1],
      );
      this.size = rows[0]?.size ?? 0;
    } catch {
      // The database is away; whoever sends will be told so by its own statement.
    }
  }
}
