import { Injectable } from '@nestjs/common';
import { Periodic } from '@heliograph/service-kit';
import { Pool } from 'pg';

const BATCH_SIZE = 1_000;
/**
 * The receipts of the parts of a message arrive within seconds of each other, because one handset receives them. After
 * this time without a receipt, the carrier sends none for the other parts.
 */
const QUIET_SECONDS = 30;

/**
 * Delivers messages of several parts whose carrier reported the delivery of some parts only, such as the last one. A
 * receipt of a failed part has settled its message before.
 */
@Injectable()
export class PartialDeliveriesService {
  constructor(private readonly pool: Pool) {}

  @Periodic({ everyMs: 5_000, role: 'worker' })
  async settle(): Promise<void> {
    for (let settled = BATCH_SIZE; settled === BATCH_SIZE;) {
      const { rows } = await this.pool.query<{ settled: number }>(
        'SELECT sms.settle_partial_deliveries($1, $2) AS settled',
        [BATCH_SIZE, QUIET_SECONDS],
      );
      settled = rows[0]?.settled ?? 0;
    }
  }
}
