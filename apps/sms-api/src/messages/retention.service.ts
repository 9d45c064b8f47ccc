import { Inject, Injectable } from '@nestjs/common';
import {
  CONTENT_RETENTION_MS,
  ContentRetention,
  maintainWeeklyPartitions,
  PARTITION_MAINTENANCE_MS,
  type WeeklyTable,
} from '@heliograph/database';
import { CONFIG, Periodic } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { SmsApiConfig } from '../sms-api.config';

/** Creates weekly partitions in advance, drops partitions past the retention period, and deletes texts after their own retention period. */
@Injectable()
export class RetentionService {
  private readonly tables: readonly WeeklyTable[];
  private readonly bodies: ContentRetention;

  constructor(
    private readonly pool: Pool,
    @Inject(CONFIG) config: SmsApiConfig,
  ) {
    this.bodies = new ContentRetention(pool, {
      table: 'sms.messages',
      days: config.SMS_BODY_RETENTION_DAYS,
      empty: `body = ''`,
      where: `body <> '' AND status NOT IN ('scheduled', 'queued') AND coalesce(finished_at, sent_at, created_at)
        < now() - interval '${config.SMS_BODY_RETENTION_DAYS} days'`,
    });
    this.tables = [
      { table: 'sms.messages', retentionDays: config.SMS_RETENTION_DAYS },
      { table: 'sms.parts', retentionDays: config.SMS_RECEIPT_DAYS },
    ].map((weekly) => ({ ...weekly, keepWhile: partitionInUseSql(weekly.retentionDays) }));
  }

  @Periodic({ everyMs: PARTITION_MAINTENANCE_MS, atStart: true })
  async maintainPartitions(): Promise<void> {
    for (const table of this.tables) await maintainWeeklyPartitions(this.pool, table);
  }

  @Periodic({ everyMs: CONTENT_RETENTION_MS, role: 'worker' })
  async deleteBodies(stopping: AbortSignal): Promise<void> {
    await this.bodies.run(stopping);
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
