import { Inject, Injectable } from '@nestjs/common';
import { maintainWeeklyPartitions, PARTITION_MAINTENANCE_MS, type WeeklyTable } from '@heliograph/database';
import { CONFIG, Periodic } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { SmsApiConfig } from '../sms-api.config';

/** Creates weekly partitions in advance and drops partitions older than the retention period. */
@Injectable()
export class RetentionService {
  private readonly tables: readonly WeeklyTable[];

  constructor(
    private readonly pool: Pool,
    @Inject(CONFIG) config: SmsApiConfig,
  ) {
    this.tables = [
      { table: 'sms.messages', retentionDays: config.SMS_RETENTION_DAYS },
      { table: 'sms.parts', retentionDays: config.SMS_RECEIPT_DAYS },
    ].map((weekly) => ({ ...weekly, keepWhile: partitionInUseSql(weekly.retentionDays) }));
  }

  @Periodic({ everyMs: PARTITION_MAINTENANCE_MS, atStart: true })
  async maintainPartitions(): Promise<void> {
    for (const table of this.tables) await maintainWeeklyPartitions(this.pool, table);
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
