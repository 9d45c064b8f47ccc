import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, LOGGER, METRICS, Periodic, type Logger } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { CARRIERS, type CarrierPool } from '../carriers/carrier-pool';
import type { SmsApiConfig } from '../sms-api.config';
import { ReceiptLag, type LagRow } from './receipt-lag';

const BATCH_SIZE = 1_000;
/** Receipts are reported if they match no message after this time. Submits are recorded within seconds. */
const REPORT_AFTER_SECONDS = 60;

/**
 * Matches unmatched receipts periodically. Recording a submit also matches them, but a receipt and the response to its
 * submit can be stored in concurrent transactions that do not see each other. Receipts that remain unmatched are
 * reported, because they indicate a wrong notation of ids, with which no message of the carrier gets the status
 * delivered.
 */
@Injectable()
export class UnmatchedReceiptsService {
  private readonly unmatched: Gauge;
  private reported = new Map<string, number>();

  constructor(
    private readonly pool: Pool,
    @Inject(CARRIERS) private readonly carriers: Pick<CarrierPool, 'carriers'>,
    @Inject(CONFIG) private readonly config: Pick<SmsApiConfig, 'SMS_RECEIPT_DAYS'>,
    private readonly lag: ReceiptLag,
    @Inject(LOGGER) private readonly log: Pick<Logger, 'warn'>,
    @Inject(METRICS) registry: Registry,
  ) {
    this.unmatched = new Gauge({
      name: 'sms_receipts_unmatched',
      help: 'Receipts that have matched no message for a minute',
      labelNames: ['carrier'],
      registers: [registry],
    });
  }

  /** Matches all unmatched receipts in batches. */
  @Periodic({ everyMs: 2_000, role: 'worker' })
  async match(): Promise<void> {
    for (const carrier of this.carriers.carriers) {
      const conversions = carrier.receiptIdConversions;
      if (conversions.length === 0) continue;
      await this.pool.query(
        `UPDATE sms.unmatched_receipts AS k SET upstream_id = c.converted
         FROM unnest($2::text[], $3::text[]) AS c (stored, converted)
         WHERE k.carrier = $1 AND k.upstream_id = c.stored`,
        [carrier.name, conversions.map(({ from }) => from), conversions.map(({ to }) => to)],
      );
    }
    for (let found = BATCH_SIZE; found === BATCH_SIZE;) {
      const { rows } = await this.pool.query<LagRow>('SELECT lag_seconds FROM sms.match_unmatched($1)', [BATCH_SIZE]);
      this.lag.observe(rows);
      found = rows.length;
    }
  }

  /** Deletes the receipts that are older than the receipt retention. */
  @Periodic({ everyMs: 60_000, role: 'worker' })
  async deleteOld(): Promise<void> {
    await this.pool.query(`DELETE FROM sms.unmatched_receipts WHERE received_at < now() - $1 * interval '1 day'`, [
      this.config.SMS_RECEIPT_DAYS,
    ]);
  }

  /** Exports the number of unmatched receipts of each carrier, and logs a warning if the number has increased. */
  @Periodic({ everyMs: 60_000, role: 'worker' })
  async report(): Promise<void> {
    const { rows } = await this.pool.query<{ carrier: string; receipts: number; example: string }>(
      `SELECT carrier, count(*)::integer AS receipts, max(upstream_id) AS example FROM sms.unmatched_receipts
       WHERE received_at < now() - $1 * interval '1 second' GROUP BY carrier`,
      [REPORT_AFTER_SECONDS],
    );
    this.unmatched.reset();
    for (const { carrier, receipts, example } of rows) {
      this.unmatched.set({ carrier }, receipts);
      if (receipts <= (this.reported.get(carrier) ?? 0)) continue;
      this.log.warn(
        { carrier, receipts, upstreamId: example },
        'receipts match no message; compare the ids of submit responses and receipts, and set receiptIdNotation of this carrier',
      );
    }
    this.reported = new Map(rows.map(({ carrier, receipts }) => [carrier, receipts]));
  }
}
