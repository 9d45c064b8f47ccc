/** One recipient of one send. */
export interface RecipientRef {
  /** UUIDv7 of the send. */
  messageId: string;
  /** From 0, in the order of the request. */
  position: number;
}

export type RecipientEventType = 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained' | 'unsubscribed';

/** What happened to the mail of one recipient after it left. */
export interface RecipientEvent extends RecipientRef {
  type: RecipientEventType;
  /** Of a click. */
  url: string | null;
  /** Always there for a bounce; `machine` for an open that no person made. */
  reason: string | null;
  occurredAt: Date;
  /** The address gets no more mail of this organization. True for every complaint and unsubscribe. */
  suppresses: boolean;
}

/** `repeated`: it was there already. `unknown`: there is no such recipient, or none that got a mail. */
export type RecordedEvent = 'recorded' | 'repeated' | 'unknown';
