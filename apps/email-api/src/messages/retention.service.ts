import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { WeeklyMaintenance } from '@heliograph/database';
import { LOGGER, type Logger } from '@heliograph/service-kit';
import { Pool } from 'pg';

import type { EmailApiSettings } from '../email-api.config';
import { EMAIL_API_SETTINGS } from '../email-api.tokens';

/** Sends are last: the partitions of the other tables are retained as long as a send needs them. */
const TABLES = ['email.events', 'email.recipients', 'email.messages'];

/** Creates weekly partitions in advance and drops partitions older than the retention period. */
@Injectable()
export class RetentionService implements OnModuleInit, OnModuleDestroy {
  private readonly maintenance: WeeklyMaintenance;

  constructor(pool: Pool, @Inject(EMAIL_API_SETTINGS) settings: EmailApiSettings, @Inject(LOGGER) log: Logger) {
    const retentionDays = settings.EMAIL_RETENTION_DAYS;
    const tables = TABLES.map((table) => ({ table, retentionDays, keepWhile: partitionInUseSql(retentionDays) }));
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
 * A scheduled send can start long after the week of its id. Its partitions are retained until its own retention period
 * has passed.
 */
function partitionInUseSql(days: number) {
  return ({ from, until }: { from: string; until: string }): string =>
    `EXISTS (SELECT FROM email.messages WHERE id >= '${from}' AND id < '${until}' AND (status IN ('scheduled', 'sending')
       OR coalesce(scheduled_at, created_at) > now() - interval '${days} days'))`;
}
