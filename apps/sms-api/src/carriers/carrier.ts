import type { JobLane } from '@heliograph/contracts';
import type { SmsEncoding } from '@heliograph/sms-text';

/** A rendered message that the send worker submits to a carrier. */
export interface OutboundSms {
  messageId: string;
  /** Sender header or number that the recipient sees. */
  source: string;
  /** E.164 digits without the plus. */
  destination: string;
  body: string;
  encoding: SmsEncoding;
  flash: boolean;
  /** DLT entity and template ids, for countries that require DLT registration; otherwise null. */
  dltEntityId: string | null;
  dltTemplateId: string | null;
}

/** A submit of a later part that the carrier rejected temporarily. The part was submitted again. */
export interface ThrottledPart {
  at: Date;
  /** 1 for the first part. */
  part: number;
  commandStatus: number;
}

/** The responses to the parts of a message. */
export interface PartAnswers {
  /**
   * One normalized carrier id per accepted part (see `normalizeUpstreamId`); parts without an id from the carrier are
   * omitted. A message sent as one payload has one id.
   */
  upstreamIds: string[];
  /** Left out if no later part was throttled. */
  throttledParts?: ThrottledPart[];
}

export type SubmitOutcome =
  | ({ kind: 'accepted' } & PartAnswers)
  /** The carrier permanently rejected the message or one of its parts. `reason` is a sentence for the sender. */
  | ({ kind: 'refused'; commandStatus: number; reason: string } & PartAnswers)
  /** The carrier rejected the submit temporarily and accepted nothing. */
  | { kind: 'throttled'; commandStatus: number }
  /** The message was not sent, because no bind was up or had capacity. */
  | { kind: 'unbound' }
  /** The message was sent, but no response was received: the carrier may or may not have accepted it. */
  | ({ kind: 'uncertain'; reason: string } & PartAnswers);

export type ReceiptState = 'delivered' | 'undeliverable' | 'expired' | 'rejected' | 'deleted' | 'unknown';

/** A final delivery receipt for one part. Intermediate states (enroute, accepted) are not reported. */
export interface DeliveryReceipt {
  carrier: string;
  upstreamId: string;
  state: ReceiptState;
  /** The carrier's error code; null if it sent none. */
  errorCode: string | null;
  /** Time of the final state according to the carrier; null if the receipt has none. */
  doneAt: Date | null;
  /** Time at which the receipt was received. */
  receivedAt: Date;
}

/** Stores a receipt durably; the PDU is acknowledged only after the promise resolves. */
export type ReceiptSink = (receipt: DeliveryReceipt) => Promise<void>;

/** An upstream SMS carrier, with one implementation per protocol. */
export interface Carrier {
  readonly name: string;
  /** True if at least one bind is up. */
  readonly bound: boolean;
  /** Outstanding submits, and the maximum over all binds that are up. */
  readonly window: { used: number; size: number };
  start(onReceipt: ReceiptSink): void;
  /**
   * Reserves a slot for one submit as soon as a bind is up and the window and the throughput allow it, in turns by lane.
   * Resolves to false on timeout.
   */
  acquire(lane: JobLane, timeoutMs: number): Promise<boolean>;
  /** Submits a message. Requires a slot from `acquire` and releases it when the submit completes. Never rejects. */
  submit(message: OutboundSms): Promise<SubmitOutcome>;
  /** Releases an unused slot. */
  release(): void;
  /** Waits for submits in progress up to a limit, then unbinds and closes the connections. */
  stop(): Promise<void>;
}
