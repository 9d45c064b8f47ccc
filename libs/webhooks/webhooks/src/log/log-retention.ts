import { Injectable } from '@nestjs/common';
import { maintainWeeklyPartitions, PARTITION_MAINTENANCE_MS } from '@heliograph/database';
import { Periodic } from '@heliograph/service-kit';
import { Pool } from 'pg';

const RETENTION_DAYS = 30;

/** Creates partitions in advance and drops events and deliveries after 30 days. */
@Injectable()
export class LogRetention {
  constructor(private readonly pool: Pool) {}

  @Periodic({ everyMs: PARTITION_MAINTENANCE_MS, atStart: true })
  async maintain(): Promise<void> {
    for (const table of ['webhooks.events', 'webhooks.deliveries']) {
      await maintainWeeklyPartitions(this.pool, { table, retentionDays: RETENTION_DAYS });
    }
  }
}
