import type { PDU } from 'smpp';
import type { DeliveryReceipt, ReceiptSink } from '../../carrier';
import type { CarrierLogger } from '../../carrier-logger';
import type { SmppCarrierConfig } from '../../carrier-config';
import { STATUS_OK, STATUS_QUEUE_FULL, STATUS_TEMPORARY_APPLICATION_ERROR } from '../command-status';
import type { CarrierMetrics } from '../metrics';
import { parseDelivery } from './receipt';
import type { ReceiptIds } from './receipt-ids';

/**
 * Maximum receipts waiting for the sink; above it, receipts are rejected with "queue full" and the carrier sends them
 * again.
 */
const MAX_UNDER_WAY = 2_000;

/** Receives deliveries from a carrier, passes receipts to the sink and acknowledges them once they are stored. */
export class ReceiptIntake {
  sink: ReceiptSink | null = null;
  /** Set on shutdown: later receipts are rejected, and the carrier sends them again. */
  closing = false;
  private count = 0;

  constructor(
    private readonly config: SmppCarrierConfig,
    private readonly ids: ReceiptIds,
    private readonly metrics: CarrierMetrics,
    private readonly logger: CarrierLogger,
  ) {}

  /** Receipts waiting for the sink. */
  get underWay(): number {
    return this.count;
  }

  receive(pdu: PDU, reply: (commandStatus: number) => void): void {
    if (this.closing || this.count >= MAX_UNDER_WAY) return reply(STATUS_QUEUE_FULL);
    const delivery = parseDelivery(pdu, this.config, this.ids, new Date());
    switch (delivery.kind) {
      case 'receipt':
        void this.store(delivery.receipt, reply);
        return;
      case 'intermediate':
        this.metrics.receiptsIntermediate += 1;
        return reply(STATUS_OK);
      case 'unreadable':
        // Acknowledged, because a rejected receipt would be redelivered endlessly.
        this.metrics.receiptsUnreadable += 1;
        this.logger.warn({ carrier: this.config.name }, 'discarded a receipt without a message id or a state');
        return reply(STATUS_OK);
      case 'inbound':
        this.metrics.inboundMessages += 1;
        this.logger.info({ carrier: this.config.name }, 'discarded a mobile-originated message');
        return reply(STATUS_OK);
    }
  }

  private async store(receipt: DeliveryReceipt, reply: (commandStatus: number) => void): Promise<void> {
    this.count += 1;
    try {
      if (!this.sink) throw new Error('the carrier was not started');
      await this.sink(receipt);
      this.metrics.receipts[receipt.state] += 1;
      reply(STATUS_OK);
    } catch (error) {
      this.metrics.receiptsDeferred += 1;
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.warn(
        { carrier: this.config.name, reason },
        'failed to store a receipt; the carrier will send it again',
      );
      reply(STATUS_TEMPORARY_APPLICATION_ERROR);
    } finally {
      this.count -= 1;
    }
  }
}
