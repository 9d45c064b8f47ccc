import { Pool } from 'pg';
import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';

import type { SmsApiSettings } from '../sms-api.config';
import { SMS_API_SETTINGS } from '../sms-api.tokens';

const MATCH_INTERVAL_MS = 2_000;
const BATCH_SIZE = 1_000;

/**
 * Matches unmatched receipts periodically. Recording a submit also matches them, but a receipt and the response to its
 * submit can be stored in concurrent transactions that do not see each other.
 */
@Injectable()
export class UnmatchedReceiptsService implements OnModuleInit, OnModuleDestroy {
  private timer: NodeJS.Timeout | null = null;
  private matching: Promise<void> = Promise.resolve();

  constructor(
    private readonly pool: Pool,
    @Inject(SMS_API_SETTINGS) private readonly settings: SmsApiSettings,
  ) {}

  onModuleInit(): void {
    if (this.settings.ROLE === 'api') return;
    this.timer = setInterval(() => (this.matching = this.match().catch(() => undefined)), MATCH_INTERVAL_MS);
    this.timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.matching;
  }

  /** Matches all unmatched receipts in batches and deletes those older than the receipt retention. */
  async match(): Promise<void> {
    const pool = this.pool;
    for (let found = BATCH_SIZE; found === BATCH_SIZE;) {
      found = (await pool.query('SELECT lag_seconds FROM sms.match_parked($1)', [BATCH_SIZE])).rowCount ?? 0;
    }
    await pool.query(`DELETE FROM sms.parked_receipts WHERE parked_at < now() - $1 * interval '1 day'`, [
      this.settings.SMS_RECEIPT_DAYS,
    ]);
  }
}
