import type { PDU } from 'smpp';
import type { DeliveryReceipt, ReceiptSink } from '../../carrier';
import type { CarrierLogger } from '../../carrier-logger';
import type { SmppCarrierSettings } from '../../carrier-settings';
import { STATUS_OK, STATUS_QUEUE_FULL, STATUS_TEMPORARY_APPLICATION_ERROR } from '../command-status';
import type { CarrierMetrics } from '../metrics';
import { readDelivery } from './receipt';

/** Receipts that may wait for the sink at once; past it the carrier is told that the queue is full, and keeps them. */
const MAX_UNDER_WAY = 2_000;

/** Takes what a carrier delivers, hands receipts to the sink, and answers once they are safe. */
export class ReceiptIntake {
  sink: ReceiptSink | null = null;
  /** Set before the end: the carrier keeps what comes from then on. */
  closing = false;
  private count = 0;

  constructor(
    private readonly settings: SmppCarrierSettings,
    private readonly metrics: CarrierMetrics,
    private readonly logger: CarrierLogger,
  ) {}

  /** Receipts that wait for the sink. */
  get underWay(): number {
    return this.count;
  }

  take(pdu: PDU, reply: (commandStatus: number) => void): void {
    if (this.closing || this.count >= MAX_UNDER_WAY) return reply(STATUS_QUEUE_FULL);
    const reading = readDelivery(pdu, this.settings, new Date());
    switch (reading.kind) {
      case 'receipt':
        void this.store(reading.receipt, reply);
        return;
      case 'intermediate':
        this.metrics.receiptsIntermediate += 1;
        return reply(STATUS_OK);
      case 'unreadable':
        // Refused, it would come again and again, and never read any better.
        this.metrics.receiptsUnreadable += 1;
        this.logger.warn({ carrier: this.settings.name }, 'dropped a receipt that does not say of what');
        return reply(STATUS_OK);
      case 'inbound':
        this.metrics.inboundMessages += 1;
        this.logger.info({ carrier: this.settings.name }, 'dropped a message from a handset');
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
      this.logger.warn({ carrier: this.settings.name, reason }, 'could not store a receipt; the carrier keeps it');
      reply(STATUS_TEMPORARY_APPLICATION_ERROR);
    } finally {
      this.count -= 1;
    }
  }
}
