import { Injectable } from '@nestjs/common';
import { Periodic } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { SOURCES } from './sources';

/** Messages older than this are not counted again (`analytics.count_…`); what was counted for them is deleted later. */
export const COUNTED_DAYS = 790;
const MARGIN_DAYS = 10;
const EVERY_MS = 6 * 60 * 60_000;

/** Deletes what was counted for old messages. Their rollups remain. */
@Injectable()
export class CountedRetention {
  constructor(private readonly pool: Pool) {}

  @Periodic({ everyMs: EVERY_MS, role: 'worker' })
  async deleteOld(): Promise<void> {
    for (const source of SOURCES) {
      await this.pool.query(`DELETE FROM analytics.${source}_counted WHERE at < now() - $1 * interval '1 day'`, [
        COUNTED_DAYS + MARGIN_DAYS,
      ]);
    }
  }
}
