/** Identifies one recipient of a send. */
export interface RecipientRef {
  /** UUIDv7 of the send. */
  messageId: string;
  /** Index of the recipient in the request, starting at 0. */
  position: number;
}

export type RecipientEventType = 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained' | 'unsubscribed';

/** An event for the mail of one recipient after it was sent. */
export interface RecipientEvent extends RecipientRef {
  type: RecipientEventType;
  /** Target of a click; otherwise null. */
  url: string | null;
  /**
   * Reason of a bounce, `machine` for an open by a program, or `relayed` for a delivery to a server that reports no
   * further delivery; otherwise null.
   */
  reason: string | null;
  occurredAt: Date;
  /** True if the event suppresses the address for the organization, as every complaint and unsubscribe does. */
  suppresses: boolean;
  /** The mail bounced because the domain has no mail server. If this happens on several days, the address is suppressed. */
  deadDomain?: boolean;
}

/** `repeated`: the event is already recorded. `unknown`: the recipient does not exist or received no mail. */
export type RecordedEvent = 'recorded' | 'repeated' | 'unknown';
