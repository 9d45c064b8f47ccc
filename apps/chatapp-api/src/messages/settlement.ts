import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { matchParkedStatuses, settleOverdue } from '@heliograph/chatapp-messages';
import { firstIdOf, poolOf } from '@heliograph/database';
import { LOGGER, METRICS, type Logger } from '@heliograph/platform';
import { Counter, type Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import type { ChatappApiSettings } from '../chatapp-api.config';
import { CHATAPP_API_SETTINGS } from '../chatapp-api.tokens';

const BATCH = 200;
const DAY_MS = 24 * 60 * 60_000;
/** The platform repeats a status for seven days; one whose message nobody knows by then is nobody's. */
const PARKED_DAYS = 8;
const LOOKS_A_PERIOD = 10;
const LONGEST_PAUSE_MS = 5_000;
const CLEAN_EVERY_MS = 60 * 60_000;

/**
 * Settles what a call has left behind: sends whose answer never came are failed and refunded, statuses that came too
 * early are matched, what is older than the retention is dropped. Every process may do it; they pass by each other.
 */
@Injectable()
export class Settlement implements OnModuleInit, OnModuleDestroy {
  private readonly settled: Counter;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;
  private cleanedAt = 0;

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(CHATAPP_API_SETTINGS) private readonly settings: ChatappApiSettings,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.settled = new Counter({
      name: 'chatapp_settled_total',
      help: 'Sends without an answer that were failed and refunded',
      registers: [registry],
    });
  }

  onModuleInit(): void {
    if (this.settings.ROLE !== 'api') this.schedule();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.running;
  }

  private schedule(): void {
    if (this.stopped) return;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, this.settings.CHATAPP_SETTLE_AFTER_MS / LOOKS_A_PERIOD);
    this.timer = setTimeout(() => {
      this.running = this.settle()
        .catch((error: unknown) => this.log.warn({ err: error }, 'what calls have left behind could not be settled'))
        .finally(() => this.schedule());
    }, pauseMs);
    this.timer.unref();
  }

  private async settle(): Promise<void> {
    const pool = poolOf(this.dataSource);
    for (let count = BATCH; count === BATCH && !this.stopped;) {
      count = await settleOverdue(pool, this.settings.CHATAPP_SETTLE_AFTER_MS, BATCH);
      this.settled.inc(count);
      if (count > 0) this.log.warn({ count }, 'sends without an answer were failed and refunded');
    }
    for (let count = BATCH; count === BATCH && !this.stopped;) count = await matchParkedStatuses(pool, BATCH);
    if (performance.now() - this.cleanedAt < CLEAN_EVERY_MS && this.cleanedAt > 0) return;
    await this.clean();
    this.cleanedAt = performance.now();
  }

  private async clean(): Promise<void> {
    const pool = poolOf(this.dataSource);
    const oldest = firstIdOf(new Date(Date.now() - this.settings.CHATAPP_RETENTION_DAYS * DAY_MS));
    for (let count = 1; count > 0 && !this.stopped;) {
      const { rowCount } = await pool.query(
        `DELETE FROM chatapp.messages WHERE id = ANY(ARRAY(
           SELECT id FROM chatapp.messages WHERE id < $1 ORDER BY id LIMIT 2000))`,
        [oldest],
      );
      count = rowCount ?? 0;
    }
    await pool.query(`DELETE FROM chatapp.parked_statuses WHERE parked_at < now() - interval '${PARKED_DAYS} days'`);
  }
}
