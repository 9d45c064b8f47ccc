import type { EventTimestamp } from './event-timestamp';
import type { SubscriptionStatus } from './subscription-status';

/** The content of a subscription event. */
export interface SubscriptionEvent {
  kind: 'subscription';
  timestamp: EventTimestamp;
  change: 'created' | 'updated' | 'deleted' | 'paused';
  subscriptionId: string;
  status: SubscriptionStatus;
  /** Start of the subscription as the object states it; null if it states none. */
  startedAt: Date | null;
  /** Null if the event contains neither a price nor a plan. */
  plan: string | null;
  currentPeriodEnd: Date | null;
  cancelAtPeriodEnd: boolean;
}

/** A successful payment of any invoice. */
export interface PaymentSucceeded {
  kind: 'payment';
  timestamp: EventTimestamp;
  invoiceId: string;
  /** Whether the invoice was settled without money, for example an invoice of a trial. */
  isZero: boolean;
}

/** A failed payment. */
export interface PaymentFailed {
  kind: 'failure';
  timestamp: EventTimestamp;
  eventId: string;
  invoiceId: string;
  /** Null if the invoice contains no subscription. */
  subscriptionId: string | null;
}

export type NormalizedEvent = SubscriptionEvent | PaymentSucceeded | PaymentFailed;
