import type { ReceiptState, SubmitOutcome } from '../carrier';
import type { FailureKind } from './link-failure';

/** Counters since the process started. */
export interface CarrierMetrics {
  /** Messages by the outcome of their submit. */
  submits: Record<SubmitOutcome['kind'], number>;
  /** Submit PDUs written; a message of n parts counts n times. */
  partsWritten: number;
  /** Stored final receipts. */
  receipts: Record<ReceiptState, number>;
  /** Receipts with an intermediate state. */
  receiptsIntermediate: number;
  /** Receipts without a message id or a state. */
  receiptsUnreadable: number;
  /** Receipts returned to the carrier because they could not be stored. */
  receiptsDeferred: number;
  /** Mobile-originated messages; acknowledged and discarded. */
  inboundMessages: number;
  /** Established binds. */
  bindsEstablished: number;
  /** Binds that the carrier refused, by command status. */
  bindsRefused: Map<number, number>;
  /** Lost connections and failed bind attempts. */
  bindsLost: number;
  /** The same by reason. */
  connectionFailures: Record<FailureKind, number>;
  /** Responses received after their timeout. */
  lateAnswers: number;
  /** Connections closed because of a malformed PDU. */
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
    bindsRefused: new Map(),
    bindsLost: 0,
    connectionFailures: {
      dns: 0,
      connection_refused: 0,
      unreachable: 0,
      connect_timeout: 0,
      tls: 0,
      no_response: 0,
      bind_refused: 0,
      closed: 0,
      malformed_pdu: 0,
      other: 0,
    },
    lateAnswers: 0,
    malformedPdus: 0,
  };
}
