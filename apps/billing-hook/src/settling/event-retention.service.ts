import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, Periodic } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { BillingHookConfig } from '../billing-hook.config';

const BATCH = 2_000;

/** Deletes applied events. The records that they changed are retained, and the processor repeats events only for a few days. */
@Injectable()
export class EventRetentionService {
  constructor(
    private readonly pool: Pool,
    @Inject(CONFIG) private readonly config: BillingHookConfig,
  ) {}

  @Periodic({ everyMs: 60 * 60_000, role: 'worker' })
  async deleteOldEvents(stopping: AbortSignal): Promise<void> {
    for (let deleted = BATCH; deleted === BATCH && !stopping.aborted;) {
      const { rowCount } = await this.pool.query(
        `DELETE FROM billing.events WHERE id = ANY (ARRAY(
           SELECT id FROM billing.events WHERE settled_at < now() - $1 * interval '1 day'
           ORDER BY settled_at LIMIT ${BATCH}))`,
        [this.config.BILLING_EVENT_RETENTION_DAYS],
      );
      deleted = rowCount ?? 0;
    }
  }
}
