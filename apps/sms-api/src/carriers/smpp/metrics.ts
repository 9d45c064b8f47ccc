import type { ReceiptState, SubmitOutcome } from '../carrier';

/** Running totals since the process started, for whoever exports them. */
export interface CarrierMetrics {
  /** Messages, by how their submit ended. */
  submits: Record<SubmitOutcome['kind'], number>;
  /** Submit PDUs written; a message of n parts is n of them. */
  partsWritten: number;
  /** Final receipts that were stored. */
  receipts: Record<ReceiptState, number>;
  /** Receipts that say a message is on its way. */
  receiptsIntermediate: number;
  /** Receipts that do not say of what. */
  receiptsUnreadable: number;
  /** Receipts given back to the carrier because they could not be stored now. */
  receiptsDeferred: number;
  /** Messages from handsets; answered and dropped. */
  inboundMessages: number;
  /** Times a bind came up. */
  bindsEstablished: number;
  /** Times a connection or a bind attempt ended. */
  bindsLost: number;
  /** Answers that came after their time-out. */
  lateAnswers: number;
  /** Connections given up because of a PDU that makes no sense. */
  malformedPdus: number;
}

export function newCarrierMetrics(): CarrierMetrics {
  return {
    submits: { accepted: 0, refused: 0, throttled: 0, unbound: 0, uncertain: 0 },
    partsWritten: 0,
    receipts: { delivered: 0, undeliverable: 0, expired: 0, rejected: 0, deleted: 0, unknown: 0 },
    receiptsIntermediate: 0,
    receiptsUnreadable: 0,
    receiptsDeferred: 0,
    inboundMessages: 0,
    bindsEstablished: 0,
    bindsLost: 0,
    lateAnswers: 0,
    malformedPdus: 0,
  };
}
