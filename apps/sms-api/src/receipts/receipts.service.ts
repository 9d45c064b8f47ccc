import { Injectable } from '@nestjs/common';
import { GroupCommit } from '@heliograph/database';
import { toStorableText } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { DeliveryReceipt } from '../carriers/carrier';
import { ReceiptLag, type LagRow } from './receipt-lag';

const MAX_ERROR_CODE = 32;

/**
 * Stores receipts in group commits. `record` resolves after the commit, because the carrier's PDU must not be
 * acknowledged earlier.
 */
@Injectable()
export class ReceiptsService {
  private readonly receipts: GroupCommit<DeliveryReceipt, void>;

  constructor(pool: Pool, lag: ReceiptLag) {
    this.receipts = new GroupCommit<DeliveryReceipt, void>({
      maxQueue: Infinity,
      flush: async (receipts) => {
        const { rows } = await pool.query<LagRow>({
          name: 'sms-record-receipts',
          text: 'SELECT lag_seconds FROM sms.record_receipts($1)',
          values: [JSON.stringify(receipts.map(toRow))],
        });
        lag.observe(rows);
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
    received_at: receipt.receivedAt.toISOString(),
  };
}
