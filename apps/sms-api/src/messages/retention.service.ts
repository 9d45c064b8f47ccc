import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { poolOf, WeeklyMaintenance } from '@heliograph/database';
import { LOGGER, type Logger } from '@heliograph/platform';
import { DataSource } from 'typeorm';
import type { SmsApiSettings } from '../sms-api.config';
import { SMS_API_SETTINGS } from '../sms-api.tokens';

/** Keeps the weekly partitions ahead of time, and drops what is older than the retention. */
@Injectable()
export class RetentionService implements OnModuleInit, OnModuleDestroy {
  private readonly maintenance: WeeklyMaintenance;

  constructor(
    @Inject(DataSource) dataSource: DataSource,
    @Inject(SMS_API_SETTINGS) settings: SmsApiSettings,
    @Inject(LOGGER) log: Logger,
  ) {
    const tables = [
      { table: 'sms.messages', retentionDays: settings.SMS_RETENTION_DAYS },
      { table: 'sms.parts', retentionDays: settings.SMS_RECEIPT_DAYS },
    ].map((weekly) => ({ ...weekly, keepWhile: stillNeeded(weekly.retentionDays) }));
    this.maintenance = new WeeklyMaintenance(poolOf(dataSource), tables, (error) =>
      log.error({ err: error }, 'the partitions could not be maintained'),
    );
  }

  async onModuleInit(): Promise<void> {
    await this.maintenance.start();
  }

  onModuleDestroy(): void {
    this.maintenance.stop();
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
