import { Inject, Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { firstIdOf, poolOf } from '@heliograph/database';
import { LOGGER, type Logger } from '@heliograph/platform';
import { DataSource } from 'typeorm';
import type { BotRuntimeSettings } from '../bot-runtime.config';
import { BOT_RUNTIME_SETTINGS } from '../bot-runtime.tokens';

const EVERY_MS = 10 * 60_000;
const DAY_MS = 86_400_000;
const BATCH = 500;

/**
 * Drops conversations in which nothing was said for long, with their messages. What visitors left in forms stays. Ids
 * begin with the time they were made, so those that may be old enough are the first ones.
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
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(BOT_RUNTIME_SETTINGS) private readonly settings: BotRuntimeSettings,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.ROLE === 'api') return;
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
    const oldest = new Date(Date.now() - this.settings.BOT_RETENTION_DAYS * DAY_MS);
    try {
      for (let dropped = BATCH; dropped === BATCH && !this.isStopping;) {
        const { rowCount } = await poolOf(this.dataSource).query(DROP_BATCH, [firstIdOf(oldest), oldest]);
        dropped = rowCount ?? 0;
      }
    } catch (error) {
      this.log.warn({ err: error }, 'old conversations could not be dropped; the next round does it');
    }
  }
}
