import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { matchUnmatchedStatuses, settleOverdue } from '@heliograph/chatapp-messages';
import { firstIdOf } from '@heliograph/database';
import { LOGGER, METRICS, type Logger } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { Counter, type Registry } from 'prom-client';
import type { ChatappApiConfig } from '../chatapp-api.config';
import { CHATAPP_API_CONFIG } from '../chatapp-api.tokens';

const BATCH = 200;
const DAY_MS = 24 * 60 * 60_000;
/** The provider repeats a status for seven days. A status still unmatched after that time is deleted. */
const UNMATCHED_DAYS = 8;
const LOOKS_A_PERIOD = 10;
const LONGEST_PAUSE_MS = 5_000;
const CLEAN_EVERY_MS = 60 * 60_000;

/**
 * Settles what interrupted calls leave behind: fails and refunds sends without an answer, matches statuses that arrived
 * before the answer to their send, deletes rows past the retention period. Every process may run it: rows are locked
 * with SKIP LOCKED.
 */
@Injectable()
export class Settlement implements OnModuleInit, OnModuleDestroy {
  private readonly settled: Counter;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;
  private cleanedAt = 0;

  constructor(
    private readonly pool: Pool,
    @Inject(CHATAPP_API_CONFIG) private readonly config: ChatappApiConfig,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.settled = new Counter({
      name: 'chatapp_settled_total',
      help: 'Sends without an answer that were marked as failed and refunded',
      registers: [registry],
    });
  }

  onModuleInit(): void {
    if (this.config.ROLE !== 'api') this.schedule();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.running;
  }

  private schedule(): void {
    if (this.stopped) return;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, this.config.CHATAPP_SETTLE_AFTER_MS / LOOKS_A_PERIOD);
    this.timer = setTimeout(() => {
      this.running = this.settle()
        .catch((error: unknown) => this.log.warn({ err: error }, 'the settlement of interrupted calls failed'))
        .finally(() => this.schedule());
    }, pauseMs);
    this.timer.unref();
  }

  private async settle(): Promise<void> {
    const pool = this.pool;
    for (let count = BATCH; count === BATCH && !this.stopped;) {
      count = await settleOverdue(pool, this.config.CHATAPP_SETTLE_AFTER_MS, BATCH);
      this.settled.inc(count);
      if (count > 0) this.log.warn({ count }, 'sends without an answer were marked as failed and refunded');
    }
    for (let count = BATCH; count === BATCH && !this.stopped;) count = await matchUnmatchedStatuses(pool, BATCH);
    if (performance.now() - this.cleanedAt < CLEAN_EVERY_MS && this.cleanedAt > 0) return;
    await this.clean();
    this.cleanedAt = performance.now();
  }

  private async clean(): Promise<void> {
    const pool = this.pool;
    const oldest = firstIdOf(new Date(Date.now() - this.config.CHATAPP_RETENTION_DAYS * DAY_MS));
    for (let count = 1; count > 0 && !this.stopped;) {
      const { rowCount } = await pool.query(
        `DELETE FROM chatapp.messages WHERE id = ANY(ARRAY(
           SELECT id FROM chatapp.messages WHERE id < $1 ORDER BY id LIMIT 2000))`,
        [oldest],
      );
      count = rowCount ?? 0;
    }
    await pool.query(
      `DELETE FROM chatapp.unmatched_statuses WHERE received_at < now() - interval '${UNMATCHED_DAYS} days'`,
    );
  }
}
