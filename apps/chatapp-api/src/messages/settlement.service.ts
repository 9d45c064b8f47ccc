import { Inject, Injectable } from '@nestjs/common';
import { matchUnmatchedStatuses, settleOverdue } from '@heliograph/chatapp-messages';
import { ContentRetention, firstIdOf } from '@heliograph/database';
import { CONFIG, LOGGER, METRICS, Periodic, type Logger } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { Counter, type Registry } from 'prom-client';
import type { ChatappApiConfig } from '../chatapp-api.config';

const BATCH = 200;
const DAY_MS = 24 * 60 * 60_000;
/** Unmatched statuses are deleted after this time. The provider repeats a status for seven days. */
const UNMATCHED_DAYS = 8;
const CLEAN_EVERY_MS = 60 * 60_000;

/**
 * Periodic task that marks sends without a response as failed and refunds them, matches statuses that arrived before
 * the response to their send, and deletes rows past the retention period. Several processes can run it concurrently,
 * because rows are locked with SKIP LOCKED.
 */
@Injectable()
export class SettlementService {
  private readonly settled: Counter;
  private readonly bodies: ContentRetention;
  private cleanedAt = 0;

  constructor(
    private readonly pool: Pool,
    @Inject(CONFIG) private readonly config: ChatappApiConfig,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.bodies = new ContentRetention(pool, {
      table: 'chatapp.messages',
      days: config.CHATAPP_BODY_RETENTION_DAYS,
      empty: 'payload = NULL',
      where: 'payload IS NOT NULL',
    });
    this.settled = new Counter({
      name: 'chatapp_settled_total',
      help: 'Sends without a response that were marked as failed and refunded',
      registers: [registry],
    });
  }

  @Periodic({ everyMs: 5_000, role: 'worker' })
  async settle(stopping: AbortSignal): Promise<void> {
    for (let count = BATCH; count === BATCH && !stopping.aborted;) {
      count = await settleOverdue(this.pool, this.config.CHATAPP_SETTLE_AFTER_MS, BATCH);
      this.settled.inc(count);
      if (count > 0)
        this.log.warn({ count }, 'sends without a response of the provider were marked as failed and refunded');
    }
    for (let count = BATCH; count === BATCH && !stopping.aborted;)
      count = await matchUnmatchedStatuses(this.pool, BATCH);
    if (performance.now() - this.cleanedAt < CLEAN_EVERY_MS && this.cleanedAt > 0) return;
    await this.clean(stopping);
    this.cleanedAt = performance.now();
  }

  private async clean(stopping: AbortSignal): Promise<void> {
    const oldest = firstIdOf(new Date(Date.now() - this.config.CHATAPP_RETENTION_DAYS * DAY_MS));
    await this.bodies.run(stopping);
    for (let count = 1; count > 0 && !stopping.aborted;) {
      const { rowCount } = await this.pool.query(
        `DELETE FROM chatapp.messages WHERE id = ANY(ARRAY(
           SELECT id FROM chatapp.messages WHERE id < $1 ORDER BY id LIMIT 2000))`,
        [oldest],
      );
      count = rowCount ?? 0;
    }
    await this.pool.query(
      `DELETE FROM chatapp.media WHERE id = ANY (ARRAY(
         SELECT id FROM chatapp.media WHERE created_at < now() - $1 * interval '1 day' LIMIT 10000))`,
      [this.config.CHATAPP_RETENTION_DAYS],
    );
    await this.pool.query(
      `DELETE FROM chatapp.unmatched_statuses WHERE received_at < now() - interval '${UNMATCHED_DAYS} days'`,
    );
  }
}
