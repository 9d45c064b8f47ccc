import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { maintainWeeklyPartitions, poolOf } from '@heliograph/database';
import { LOGGER, type Logger } from '@heliograph/platform';
import { DataSource } from 'typeorm';
import type { SmsApiSettings } from '../sms-api.config';
import { SMS_API_SETTINGS } from '../sms-api.tokens';

const EVERY_MS = 60 * 60_000;

/** Keeps the weekly partitions ahead of time, and drops what is older than the retention. */
@Injectable()
export class RetentionService implements OnModuleInit, OnModuleDestroy {
  private timer: NodeJS.Timeout | null = null;

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(SMS_API_SETTINGS) private readonly settings: SmsApiSettings,
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
    const pool = poolOf(this.dataSource);
    for (const [table, retentionDays] of [
      ['sms.messages', this.settings.SMS_RETENTION_DAYS],
      ['sms.parts', this.settings.SMS_RECEIPT_DAYS],
    ] as const) {
      await maintainWeeklyPartitions(pool, { table, retentionDays, keepWhile: stillNeeded(retentionDays) });
    }
  }
}

/**
 * A message may leave long after the week of its id, when it was scheduled. Until then, and for as long again as any
 * other, its partition of messages and that of its parts stay.
 */
function stillNeeded(days: number) {
  return ({ from, until }: { from: string; until: string }): string =>
    `EXISTS (SELECT FROM sms.messages WHERE id >= '${from}' AND id < '${until}' AND (status IN ('scheduled', 'queued')
       OR coalesce(finished_at, sent_at, created_at) > now() - interval '${days} days'))`;
}
