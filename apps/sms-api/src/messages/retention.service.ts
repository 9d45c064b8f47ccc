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
    await maintainWeeklyPartitions(pool, {
      table: 'sms.messages',
      retentionDays: this.settings.SMS_RETENTION_DAYS,
      keepWhile: `status IN ('scheduled', 'queued')`,
    });
    await maintainWeeklyPartitions(pool, { table: 'sms.parts', retentionDays: this.settings.SMS_RECEIPT_DAYS });
  }
}
