import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { maintainWeeklyPartitions, poolOf } from '@heliograph/database';
import { LOGGER, type Logger } from '@heliograph/platform';
import { DataSource } from 'typeorm';
import type { EmailApiSettings } from '../email-api.config';
import { EMAIL_API_SETTINGS } from '../email-api.tokens';

const EVERY_MS = 60 * 60_000;
const TABLES = ['email.messages', 'email.recipients', 'email.events'];

/** Keeps the weekly partitions ahead of time, and drops what is older than the retention. */
@Injectable()
export class RetentionService implements OnModuleInit, OnModuleDestroy {
  private timer: NodeJS.Timeout | null = null;

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(EMAIL_API_SETTINGS) private readonly settings: EmailApiSettings,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.maintain();
    this.timer = setInterval(() => {
      this.maintain().catch((error: unknown) =>
        this.log.error({ err: error }, 'the partitions could not be maintained'),
      );
    }, EVERY_MS);
    this.timer.unref();
  }

  onModuleDestroy(): void {
    if (this.timer) clearInterval(this.timer);
  }

  private async maintain(): Promise<void> {
    const retentionDays = this.settings.EMAIL_RETENTION_DAYS;
    const keepWhile = stillNeeded(retentionDays);
    // Sends last: the others are kept for as long as there is one that needs them.
    for (const table of TABLES.toReversed()) {
      await maintainWeeklyPartitions(poolOf(this.dataSource), { table, retentionDays, keepWhile });
    }
  }
}

/** A send may leave long after the week of its id, when it was scheduled: it and its report stay for as long again. */
function stillNeeded(days: number) {
  return ({ from, until }: { from: string; until: string }): string =>
    `EXISTS (SELECT FROM email.messages WHERE id >= '${from}' AND id < '${until}' AND (status IN ('scheduled', 'sending')
       OR coalesce(scheduled_at, created_at) > now() - interval '${days} days'))`;
}
