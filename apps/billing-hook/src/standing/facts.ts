import type { Moment } from './moment';
import type { SubscriptionStatus } from './subscription-status';

/** What an event says about a subscription. */
export interface SubscriptionFact {
  kind: 'subscription';
  moment: Moment;
  change: 'created' | 'updated' | 'deleted' | 'paused';
  subscriptionId: string;
  status: SubscriptionStatus;
  /** Null: the event names neither price nor plan. */
  plan: string | null;
  currentPeriodEnd: Date | null;
  cancelAtPeriodEnd: boolean;
}

/** A payment that came, of whatever invoice. */
export interface PaymentFact {
  kind: 'payment';
  moment: Moment;
}

/** A payment that did not come. */
export interface FailureFact {
  kind: 'failure';
  moment: Moment;
  eventId: string;
  invoiceId: string;
  /** Null: an invoice of no subscription, or of one that it does not name. */
  subscriptionId: string | null;
}

export type Fact = SubscriptionFact | PaymentFact | FailureFact;
