import type { SmsEncoding } from '@heliograph/sms-text';

/** What the send worker hands to a carrier: one message, already rendered and counted. */
export interface OutboundSms {
  messageId: string;
  /** Alphanumeric header or number that the recipient sees. */
  source: string;
  /** E.164 digits without the plus. */
  destination: string;
  body: string;
  encoding: SmsEncoding;
  flash: boolean;
  /** Entity and template ids of countries with a DLT register; null elsewhere. */
  dltEntityId: string | null;
  dltTemplateId: string | null;
}

/**
 * How a submit ended. `upstreamIds` holds one carrier id per part, spelt as receipts will spell it (see
 * `normalizeUpstreamId`); parts for which the carrier gave no id are left out. A message sent whole, however long, has
 * one.
 */
export type SubmitOutcome =
  | { kind: 'accepted'; upstreamIds: string[] }
  /** The carrier said no for good, to the message or to one of its parts. */
  | { kind: 'refused'; commandStatus: number; reason: string }
  /** The carrier said not now; nothing was taken. */
  | { kind: 'throttled'; commandStatus: number }
  /** No bind was up, or none with room left: the message never left. */
  | { kind: 'unbound' }
  /** It left and no answer came: the carrier may or may not have it. */
  | { kind: 'uncertain'; reason: string };

export type ReceiptState = 'delivered' | 'undeliverable' | 'expired' | 'rejected' | 'deleted' | 'unknown';

/** A final delivery receipt of one part. Intermediate states (enroute, accepted) are not handed on. */
export interface DeliveryReceipt {
  carrier: string;
  upstreamId: string;
  state: ReceiptState;
  /** The carrier's error code, when it gave one. */
  errorCode: string | null;
  /** When the carrier says that it was done; null when it does not say. */
  doneAt: Date | null;
  /** When it reached us. */
  receivedAt: Date;
}

/** Stores a receipt durably; the carrier's PDU is answered with success only after it resolved. */
export type ReceiptSink = (receipt: DeliveryReceipt) => Promise<void>;

/** One upstream. One implementation per vendor protocol. */
export interface Carrier {
  readonly name: string;
  /** At least one bind is up and able to submit. */
  readonly bound: boolean;
  /** Submits under way, and how many the binds allow together. */
  readonly window: { used: number; size: number };
  start(onReceipt: ReceiptSink): void;
  /** Resolves as soon as a submit may go out (bind up, window and throughput free); false when none came in time. */
  acquire(timeoutMs: number): Promise<boolean>;
  /** Needs a slot from `acquire`, and gives it back when it settles. Never rejects. */
  submit(message: OutboundSms): Promise<SubmitOutcome>;
  /** Gives a slot back that was not used. */
  release(): void;
  /** Waits for submits under way (bounded), unbinds, closes. */
  stop(): Promise<void>;
}
