import { Injectable } from '@nestjs/common';
import { REQUEST_LOG_DAYS } from '@heliograph/auth';
import { maintainWeeklyPartitions, PARTITION_MAINTENANCE_MS } from '@heliograph/database';
import { Periodic } from '@heliograph/service-kit';
import { Pool } from 'pg';

/** Creates the partitions of the request log in advance, drops old ones, and completes the index of request ids. */
@Injectable()
export class RequestsRetention {
  constructor(private readonly pool: Pool) {}

  @Periodic({ everyMs: PARTITION_MAINTENANCE_MS, atStart: true })
  async maintain(): Promise<void> {
    await maintainWeeklyPartitions(this.pool, {
      table: 'auth.requests',
      retentionDays: REQUEST_LOG_DAYS,
      // Never updated.
      fillPercent: 100,
    });
  }

  @Periodic({ everyMs: PARTITION_MAINTENANCE_MS, role: 'worker' })
  async summarize(): Promise<void> {
    await this.pool.query('SELECT auth.summarize_requests()');
  }
}
