import { timestampOf } from './event-timestamp';
import type { NormalizedEvent, PaymentSucceeded, SubscriptionEvent } from './normalized-event';
import { applyEvent, EMPTY_AGGREGATE, type PayerAggregate } from './payer-aggregate';
import { deriveSubscriptionState } from './subscription-state';
import type { SubscriptionStatus } from './subscription-status';

export const at = (seconds: number, arrival = seconds) => timestampOf({ created: new Date(seconds * 1000), arrival });

export const subscription = (
  change: SubscriptionEvent['change'],
  seconds: number,
  event: Partial<SubscriptionEvent> = {},
): SubscriptionEvent => ({
  kind: 'subscription',
  timestamp: at(seconds),
  change,
  subscriptionId: 'sub_1',
  status: ({ created: 'active', updated: 'active', deleted: 'canceled', paused: 'paused' } as const)[change],
  startedAt: null,
  plan: null,
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
  ...event,
});
export const updated = (status: SubscriptionStatus, seconds: number) => subscription('updated', seconds, { status });
export const paid = (seconds: number, event: Partial<PaymentSucceeded> = {}): NormalizedEvent => ({
  kind: 'payment',
  timestamp: at(seconds),
  invoiceId: 'in_1',
  isZero: false,
  ...event,
});
export const failed = (seconds: number, subscriptionId: string | null = null, invoiceId = 'in_1'): NormalizedEvent => ({
  kind: 'failure',
  timestamp: at(seconds),
  eventId: `evt_${seconds}`,
  invoiceId,
  subscriptionId,
});

export const learn = (events: NormalizedEvent[]): PayerAggregate => events.reduce(applyEvent, EMPTY_AGGREGATE);
export const state = (events: NormalizedEvent[], isDunned = false) => deriveSubscriptionState(learn(events), isDunned);
