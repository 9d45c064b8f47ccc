import { Injectable } from '@nestjs/common';
import { firstIdOf, maintainWeeklyPartitions, PARTITION_MAINTENANCE_MS } from '@heliograph/database';
import { Periodic } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { QueueRepository } from '../delivery/queue.repository';

const RETENTION_DAYS = 30;
const RETENTION_MS = RETENTION_DAYS * 24 * 60 * 60_000;

const TABLES = [
  // Never updated.
  { table: 'webhooks.events', fillPercent: 100 },
  // The first attempt of a delivery more than doubles the size of its row.
  { table: 'webhooks.deliveries', fillPercent: 30 },
];

/** Creates partitions in advance and drops events and deliveries after 30 days. Ends deliveries whose event was dropped. */
@Injectable()
export class LogRetention {
  constructor(
    private readonly pool: Pool,
    private readonly queue: QueueRepository,
  ) {}

  @Periodic({ everyMs: PARTITION_MAINTENANCE_MS, atStart: true })
  async maintain(): Promise<void> {
    for (const table of TABLES) await maintainWeeklyPartitions(this.pool, { ...table, retentionDays: RETENTION_DAYS });
    const now = new Date();
    await this.queue.endOrphanedAcrossTenants(firstIdOf(new Date(now.getTime() - RETENTION_MS)), now);
  }
}
