import { Inject, Injectable } from '@nestjs/common';
import {
  CONTENT_RETENTION_MS,
  ContentRetention,
  maintainWeeklyPartitions,
  PARTITION_MAINTENANCE_MS,
} from '@heliograph/database';
import { CONFIG, Periodic } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { EmailApiConfig } from '../email-api.config';

/** Partitions of the other tables are retained while a send needs them, so the partitions of sends are dropped last. */
const TABLES = ['email.events', 'email.recipients', 'email.messages'];

/**
 * Creates weekly partitions in advance, drops partitions past the retention period, and deletes contents after their
 * own retention period.
 */
@Injectable()
export class RetentionService {
  private readonly bodies: ContentRetention;

  constructor(
    private readonly pool: Pool,
    @Inject(CONFIG) private readonly config: EmailApiConfig,
  ) {
    const days = config.EMAIL_BODY_RETENTION_DAYS;
    this.bodies = new ContentRetention(pool, {
      table: 'email.messages',
      days,
      empty: `subject = '', html = NULL, text = NULL, attachments = NULL`,
      where: `(html IS NOT NULL OR text IS NOT NULL) AND status NOT IN ('scheduled', 'sending')
        AND coalesce(scheduled_at, created_at) < now() - interval '${days} days'`,
    });
  }

  @Periodic({ everyMs: PARTITION_MAINTENANCE_MS, atStart: true })
  async maintainPartitions(): Promise<void> {
    const retentionDays = this.config.EMAIL_RETENTION_DAYS;
    const keepWhile = partitionInUseSql(retentionDays);
    for (const table of TABLES) await maintainWeeklyPartitions(this.pool, { table, retentionDays, keepWhile });
  }

  @Periodic({ everyMs: PARTITION_MAINTENANCE_MS, role: 'worker' })
  async forgetFailingDomains(): Promise<void> {
    await this.pool.query(`DELETE FROM email.failing_domains WHERE failed_at < now() - interval '30 days'`);
  }

  @Periodic({ everyMs: CONTENT_RETENTION_MS, role: 'worker' })
  async deleteBodies(stopping: AbortSignal): Promise<void> {
    await this.bodies.run(stopping);
  }
}

/**
 * A scheduled send can start long after the week of its id. Its partitions are retained until its own retention period
 * has passed.
 */
function partitionInUseSql(days: number) {
  return ({ from, until }: { from: string; until: string }): string =>
    `EXISTS (SELECT FROM email.messages WHERE id >= '${from}' AND id < '${until}' AND (status IN ('scheduled', 'sending')
       OR coalesce(scheduled_at, created_at) > now() - interval '${days} days'))`;
}
