import { serviceUnavailable } from '@heliograph/errors';
import { Periodic } from '@heliograph/service-kit';
import type { Pool } from 'pg';
import { queryQuietly } from './quiet-query';
import type { Relay } from './relay';

const COUNT_EVERY_MS = 2_000;

/** Counts the due events in the outbox and rejects new events while there are too many. */
export class Backlog {
  /** Number of due events at the last count. Counting stops at `limit` + 1. */
  size = 0;

  constructor(
    private readonly pool: Pool,
    private readonly limit: number,
    private readonly relay: Pick<Relay, 'foundNoneAt'>,
  ) {}

  /** Throws SERVICE_UNAVAILABLE while the outbox holds more due events than the limit. */
  assertRoom(): void {
    if (this.size > this.limit) throw serviceUnavailable('outbox backlog', undefined, 30);
  }

  @Periodic({ everyMs: COUNT_EVERY_MS })
  async count(): Promise<void> {
    // An idle relay checks the outbox every second; its result replaces a second query.
    if (performance.now() - this.relay.foundNoneAt < COUNT_EVERY_MS) {
      this.size = 0;
      return;
    }
    const rows = await queryQuietly<{ size: number }>(
      this.pool,
      'SELECT count(*)::int AS size FROM (SELECT 1 FROM messaging.outbox WHERE available_at <= now() LIMIT $1) AS due',
      [this.limit + 1],
    );
    this.size = rows[0]?.size ?? 0;
  }
}
