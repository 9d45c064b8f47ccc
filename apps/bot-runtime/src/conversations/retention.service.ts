import { Inject, Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { firstIdOf } from '@heliograph/database';
import { LOGGER, type Logger } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { BotRuntimeConfig } from '../bot-runtime.config';
import { BOT_RUNTIME_CONFIG } from '../bot-runtime.tokens';

const EVERY_MS = 10 * 60_000;
const DAY_MS = 86_400_000;
const BATCH = 500;

/**
 * Deletes conversations without recent messages, together with their messages. Form submissions are retained. Ids begin
 * with their creation time, so the candidates have the smallest ids.
 */
const DROP_BATCH = `
  WITH old AS (
    SELECT id FROM bots.conversations WHERE id < $1 AND last_message_at < $2
    ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
  ), dropped AS (
    DELETE FROM bots.messages WHERE conversation_id IN (SELECT id FROM old)
  )
  DELETE FROM bots.conversations WHERE id IN (SELECT id FROM old)`;

@Injectable()
export class Retention implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly pool: Pool,
    @Inject(BOT_RUNTIME_CONFIG) private readonly config: BotRuntimeConfig,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.ROLE === 'api') return;
    this.round = this.drop();
    this.timer = setInterval(() => (this.round = this.round.then(() => this.drop())), EVERY_MS);
    this.timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    if (this.timer) clearInterval(this.timer);
    await this.round;
  }

  private async drop(): Promise<void> {
    const oldest = new Date(Date.now() - this.config.BOT_RETENTION_DAYS * DAY_MS);
    try {
      for (let dropped = BATCH; dropped === BATCH && !this.isStopping;) {
        const { rowCount } = await this.pool.query(DROP_BATCH, [firstIdOf(oldest), oldest]);
        dropped = rowCount ?? 0;
      }
    } catch (error) {
      this.log.warn({ err: error }, 'old conversations could not be deleted; the next run retries');
    }
  }
}
