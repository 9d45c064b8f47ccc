import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { WeeklyMaintenance } from '@heliograph/database';
import { LOGGER, type Logger } from '@heliograph/service-kit';
import { Pool } from 'pg';

import type { SmsApiSettings } from '../sms-api.config';
import { SMS_API_SETTINGS } from '../sms-api.tokens';

/** Creates weekly partitions in advance and drops partitions older than the retention period. */
@Injectable()
export class RetentionService implements OnModuleInit, OnModuleDestroy {
  private readonly maintenance: WeeklyMaintenance;

  constructor(pool: Pool, @Inject(SMS_API_SETTINGS) settings: SmsApiSettings, @Inject(LOGGER) log: Logger) {
    const tables = [
      { table: 'sms.messages', retentionDays: settings.SMS_RETENTION_DAYS },
      { table: 'sms.parts', retentionDays: settings.SMS_RECEIPT_DAYS },
    ].map((weekly) => ({ ...weekly, keepWhile: partitionInUseSql(weekly.retentionDays) }));
    this.maintenance = new WeeklyMaintenance(pool, tables, (error) =>
      log.error({ err: error }, 'partition maintenance failed'),
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
 * A scheduled message can be sent long after the week of its id. Its partitions of messages and parts are retained
 * until it is sent and its own retention period has passed.
 */
function partitionInUseSql(days: number) {
  return ({ from, until }: { from: string; until: string }): string =>
    `EXISTS (SELECT FROM sms.messages WHERE id >= '${from}' AND id < '${until}' AND (status IN ('scheduled', 'queued')
       OR coalesce(finished_at, sent_at, created_at) > now() - interval '${days} days'))`;
}
