import { Inject, Injectable } from '@nestjs/common';
import { maintainWeeklyPartitions, PARTITION_MAINTENANCE_MS } from '@heliograph/database';
import { CONFIG, Periodic } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { EmailApiConfig } from '../email-api.config';

/** Sends are last: the partitions of the other tables are retained as long as a send needs them. */
const TABLES = ['email.events', 'email.recipients', 'email.messages'];

/** Creates weekly partitions in advance and drops partitions older than the retention period. */
@Injectable()
export class RetentionService {
  constructor(
    private readonly pool: Pool,
    @Inject(CONFIG) private readonly config: EmailApiConfig,
  ) {}

  @Periodic({ everyMs: PARTITION_MAINTENANCE_MS, atStart: true })
  async maintainPartitions(): Promise<void> {
    const retentionDays = this.config.EMAIL_RETENTION_DAYS;
    const keepWhile = partitionInUseSql(retentionDays);
    for (const table of TABLES) await maintainWeeklyPartitions(this.pool, { table, retentionDays, keepWhile });
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
