import { Inject, Injectable } from '@nestjs/common';
import { GroupCommit } from '@heliograph/database';
import { METRICS, toStorableText } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { Histogram, type Registry } from 'prom-client';

import type { DeliveryReceipt } from '../carriers/carrier';

const MAX_ERROR_CODE = 32;

/**
 * Stores receipts in group commits. `record` resolves after the commit, because the carrier's PDU must not be
 * acknowledged earlier.
 */
@Injectable()
export class ReceiptsService {
  private readonly receipts: GroupCommit<DeliveryReceipt, void>;

  constructor(pool: Pool, @Inject(METRICS) registry: Registry) {
    const lag = new Histogram({
      name: 'sms_receipt_lag_seconds',
      help: 'Time from the submit of a message to its final receipt',
      buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 3600, 86_400],
      registers: [registry],
    });
    this.receipts = new GroupCommit<DeliveryReceipt, void>({
      maxQueue: Infinity,
      flush: async (receipts) => {
        const { rows } = await pool.query<{ lag_seconds: number }>({
          name: 'sms-record-receipts',
          text: 'SELECT lag_seconds FROM sms.record_receipts($1)',
          values: [JSON.stringify(receipts.map(toRow))],
        });
        for (const { lag_seconds } of rows) lag.observe(Math.max(0, lag_seconds));
        return receipts.map(() => undefined);
      },
    });
  }

  record(receipt: DeliveryReceipt): Promise<void> {
    return this.receipts.submit(receipt);
  }

  drain(): Promise<void> {
    return this.receipts.drain();
  }
}

function toRow(receipt: DeliveryReceipt): object {
  return {
    carrier: receipt.carrier,
    upstream_id: receipt.upstreamId,
    state: receipt.state,
    error_code: receipt.errorCode === null ? null : toStorableText(receipt.errorCode, MAX_ERROR_CODE),
    done_at: (receipt.doneAt ?? receipt.receivedAt).toISOString(),
  };
}
