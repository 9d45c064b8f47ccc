import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { poolOf, WeeklyMaintenance } from '@heliograph/database';
import { LOGGER, type Logger } from '@heliograph/platform';
import { DataSource } from 'typeorm';
import type { EmailApiSettings } from '../email-api.config';
import { EMAIL_API_SETTINGS } from '../email-api.tokens';

/** Sends last: the others are kept for as long as there is one that needs them. */
const TABLES = ['email.events', 'email.recipients', 'email.messages'];

/** Keeps the weekly partitions ahead of time, and drops what is older than the retention. */
@Injectable()
export class RetentionService implements OnModuleInit, OnModuleDestroy {
  private readonly maintenance: WeeklyMaintenance;

  constructor(
    @Inject(DataSource) dataSource: DataSource,
    @Inject(EMAIL_API_SETTINGS) settings: EmailApiSettings,
    @Inject(LOGGER) log: Logger,
  ) {
    const retentionDays = settings.EMAIL_RETENTION_DAYS;
    const tables = TABLES.map((table) => ({ table, retentionDays, keepWhile: stillNeeded(retentionDays) }));
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

/** A send may leave long after the week of its id, when it was scheduled: it and its report stay for as long again. */
function stillNeeded(days: number) {
  return ({ from, until }: { from: string; until: string }): string =>
    `EXISTS (SELECT FROM email.messages WHERE id >= '${from}' AND id < '${until}' AND (status IN ('scheduled', 'sending')
       OR coalesce(scheduled_at, created_at) > now() - interval '${days} days'))`;
}
