import type { NormalizedEvent, PaymentFailed, SubscriptionEvent } from './normalized-event';
import { isNewer, newer, older, type EventTimestamp } from './event-timestamp';
import { meaningOf, type SubscriptionStatus } from './subscription-status';

export interface SubscriptionAggregate {
  subscriptionId: string;
  status: SubscriptionStatus;
  plan: string;
  currentPeriodEnd: Date | null;
  cancelAtPeriodEnd: boolean;
  /** Timestamp of the oldest event. */
  began: EventTimestamp;
  /** Timestamp of the event that set the status. */
  newest: EventTimestamp;
  deleted: EventTimestamp | null;
  /** Timestamp of the newest event with a plan, except deletions. */
  planned: EventTimestamp | null;
  /** Timestamp of the newest event with status active. */
  activated: EventTimestamp | null;
  paused: EventTimestamp | null;
  /** Timestamp of the newest `updated` event with status active, which ends a pause. A trial does not end a pause. */
  resumed: EventTimestamp | null;
}

export interface FailureAggregate {
  eventId: string;
  invoiceId: string;
  subscriptionId: string | null;
  timestamp: EventTimestamp;
}

/**
 * Aggregated events of a payer. Every value is an extreme or a set, so the result does not depend on the order of
 * events or on repeats.
 */
export interface PayerAggregate {
  subscriptions: SubscriptionAggregate[];
  /** Timestamp of the newest payment. */
  paid: EventTimestamp | null;
  /** Failures that are not settled yet. */
  failures: FailureAggregate[];
}

export const EMPTY_AGGREGATE: PayerAggregate = { subscriptions: [], paid: null, failures: [] };

/** Plan of a subscription whose events contain no plan. */
export const DEFAULT_PLAN = 'pro';

/** Adds a normalized event. Returns the same object if the event changes nothing. */
export function applyEvent(aggregate: PayerAggregate, event: NormalizedEvent): PayerAggregate {
  switch (event.kind) {
    case 'subscription':
      return withoutSettled(withSubscription(aggregate, event));
    case 'payment':
      return isNewer(event.timestamp, aggregate.paid)
        ? withoutSettled({ ...aggregate, paid: event.timestamp })
        : aggregate;
    case 'failure':
      return withFailure(aggregate, event);
  }
}

function withSubscription(aggregate: PayerAggregate, event: SubscriptionEvent): PayerAggregate {
  const { subscriptions } = aggregate;
  const before = subscriptions.find(({ subscriptionId }) => subscriptionId === event.subscriptionId);
  const after = merge(before ?? newSubscription(event), event);
  if (before && isSame(before, after)) return aggregate;
  return { ...aggregate, subscriptions: [...subscriptions.filter((each) => each !== before), after] };
}

function isSame(before: SubscriptionAggregate, after: SubscriptionAggregate): boolean {
  return Object.entries(after).every(([name, value]) => before[name as keyof SubscriptionAggregate] === value);
}

function newSubscription({ subscriptionId, status, timestamp }: SubscriptionEvent): SubscriptionAggregate {
  return {
    subscriptionId,
    status,
    plan: DEFAULT_PLAN,
    currentPeriodEnd: null,
    cancelAtPeriodEnd: false,
    began: timestamp,
    newest: '',
    deleted: null,
    planned: null,
    activated: null,
    paused: null,
    resumed: null,
  };
}

function merge(subscription: SubscriptionAggregate, event: SubscriptionEvent): SubscriptionAggregate {
  const { timestamp, change, status, plan } = event;
  const deletes = change === 'deleted';
  const pauses = change === 'paused' || (status === 'paused' && !deletes);
  const activates = (change === 'created' || change === 'updated') && meaningOf(status) === 'active';
  const resumes = change === 'updated' && status === 'active';
  return {
    ...subscription,
    ...(isNewer(timestamp, subscription.newest)
      ? {
          newest: timestamp,
          status,
          currentPeriodEnd: event.currentPeriodEnd,
          cancelAtPeriodEnd: event.cancelAtPeriodEnd,
        }
      : {}),
    ...(plan !== null && !deletes && isNewer(timestamp, subscription.planned) ? { planned: timestamp, plan } : {}),
    began: older(subscription.began, timestamp),
    deleted: deletes ? newer(subscription.deleted, timestamp) : subscription.deleted,
    activated: activates ? newer(subscription.activated, timestamp) : subscription.activated,
    paused: pauses ? newer(subscription.paused, timestamp) : subscription.paused,
    resumed: resumes ? newer(subscription.resumed, timestamp) : subscription.resumed,
  };
}

function withFailure(
  aggregate: PayerAggregate,
  { eventId, invoiceId, subscriptionId, timestamp }: PaymentFailed,
): PayerAggregate {
  const failure = { eventId, invoiceId, subscriptionId, timestamp };
  const isKnown = aggregate.failures.some((each) => each.eventId === eventId);
  if (isKnown || isSettled(failure, aggregate)) return aggregate;
  return { ...aggregate, failures: [...aggregate.failures, failure] };
}

function withoutSettled(aggregate: PayerAggregate): PayerAggregate {
  const failures = aggregate.failures.filter((failure) => !isSettled(failure, aggregate));
  return failures.length === aggregate.failures.length ? aggregate : { ...aggregate, failures };
}

/** A failure is settled by a newer payment, or when the processor reports the subscription as active again. */
function isSettled({ timestamp, subscriptionId }: FailureAggregate, { paid, subscriptions }: PayerAggregate): boolean {
  return (
    isNewer(paid, timestamp) ||
    subscriptions.some(
      (each) =>
        (subscriptionId === null || each.subscriptionId === subscriptionId) && isNewer(each.activated, timestamp),
    )
  );
}
