import { Inject, Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { poolOf } from '@heliograph/database';
import { DataSource } from 'typeorm';
import type { SmsApiSettings } from '../sms-api.config';
import { SMS_API_SETTINGS } from '../sms-api.tokens';

const LOOK_EVERY_MS = 2_000;
const MOST = 1_000;

/**
 * Matches receipts that were parked. Recording a submit looks for them too, but a receipt and the answer to its
 * submit can be stored at the same moment without seeing each other: this finds them a little later.
 */
@Injectable()
export class ParkedReceiptsService implements OnModuleInit, OnModuleDestroy {
  private timer: NodeJS.Timeout | null = null;
  private looking: Promise<void> = Promise.resolve();

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(SMS_API_SETTINGS) private readonly settings: SmsApiSettings,
  ) {}

  onModuleInit(): void {
    if (this.settings.ROLE === 'api') return;
    this.timer = setInterval(() => (this.looking = this.match().catch(() => undefined)), LOOK_EVERY_MS);
    this.timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.looking;
  }

  /** One round over everything that is parked; what is older than any receipt can be is dropped. */
  async match(): Promise<void> {
    const pool = poolOf(this.dataSource);
    for (let found = MOST; found === MOST;) {
      found = (await pool.query('SELECT lag_seconds FROM sms.match_parked($1)', [MOST])).rowCount ?? 0;
    }
    await pool.query(`DELETE FROM sms.parked_receipts WHERE parked_at < now() - $1 * interval '1 day'`, [
      this.settings.SMS_RECEIPT_DAYS,
    ]);
  }
}
