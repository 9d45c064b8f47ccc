import { Injectable } from '@nestjs/common';
import { GroupCommit } from '@heliograph/database';
import { toStorableText, Tracing } from '@heliograph/service-kit';
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

  constructor(
    private readonly pool: Pool,
    lag: ReceiptLag,
    private readonly tracing: Tracing,
  ) {
    this.receipts = new GroupCommit<DeliveryReceipt, void>({
      maxQueue: Infinity,
      flush: async (receipts) => {
        const { rows } = await pool.query<LagRow>({
          name: 'sms-record-receipts',
          text: 'SELECT lag_seconds FROM sms.record_receipts($1)',
          values: [JSON.stringify(receipts.map(toRow))],
        });
        lag.observe(rows);
        if (tracing.isOn) await this.trace(receipts);
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

  /** Adds receipts to the traces of their messages. */
  private async trace(receipts: readonly DeliveryReceipt[]): Promise<void> {
    const { rows } = await this.pool.query<{ carrier: string; upstreamId: string; messageId: string; parent: string }>(
      `SELECT p.carrier, p.upstream_id AS "upstreamId", p.message_id AS "messageId", t.traceparent AS parent
       FROM sms.parts AS p JOIN sms.messages AS m ON m.id = p.message_id
       JOIN messaging.request_traces AS t ON t.request_id = m.correlation_id AND t.organization_id = m.organization_id
       WHERE p.upstream_id = ANY ($1)`,
      [receipts.map(({ upstreamId }) => upstreamId)],
    );
    for (const { carrier, upstreamId, state, receivedAt } of receipts) {
      const found = rows.find((row) => row.upstreamId === upstreamId && row.carrier === carrier);
      const span = this.tracing.start('deliver_sm', { kind: 'consumer', parent: found?.parent, startedAt: receivedAt });
      span?.end({
        'heliograph.carrier': carrier,
        'heliograph.message_id': found?.messageId,
        'heliograph.state': state,
      });
    }
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
