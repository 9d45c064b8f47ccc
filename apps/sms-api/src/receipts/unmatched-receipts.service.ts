import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, Periodic } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { SmsApiConfig } from '../sms-api.config';

const BATCH_SIZE = 1_000;

/**
 * Matches unmatched receipts periodically. Recording a submit also matches them, but a receipt and the response to its
 * submit can be stored in concurrent transactions that do not see each other.
 */
@Injectable()
export class UnmatchedReceiptsService {
  constructor(
    private readonly pool: Pool,
    @Inject(CONFIG) private readonly config: SmsApiConfig,
  ) {}

  /** Matches all unmatched receipts in batches and deletes those older than the receipt retention. */
  @Periodic({ everyMs: 2_000, role: 'worker' })
  async match(): Promise<void> {
    for (let found = BATCH_SIZE; found === BATCH_SIZE;) {
      found = (await this.pool.query('SELECT lag_seconds FROM sms.match_unmatched($1)', [BATCH_SIZE])).rowCount ?? 0;
    }
    await this.pool.query(`DELETE FROM sms.unmatched_receipts WHERE received_at < now() - $1 * interval '1 day'`, [
      this.config.SMS_RECEIPT_DAYS,
    ]);
  }
}
