import type { NormalizedEvent, PaymentFailed, PaymentSucceeded, SubscriptionEvent } from './normalized-event';
import {
  createdAtOf,
  isCreatedLater,
  isNewer,
  newer,
  noLaterThan,
  older,
  type EventTimestamp,
} from './event-timestamp';
import { grantsPlan, meaningOf, type SubscriptionStatus } from './subscription-status';

export interface SubscriptionAggregate {
  subscriptionId: string;
  status: SubscriptionStatus;
  plan: string;
  currentPeriodEnd: Date | null;
  cancelAtPeriodEnd: boolean;
  /** Start of the subscription: the earliest start that an event states, otherwise the oldest event. */
  began: EventTimestamp;
  /** Timestamp of the event that set the status. */
  newest: EventTimestamp;
  deleted: EventTimestamp | null;
  /** Timestamp of the newest event with a plan, except deletions. */
  planned: EventTimestamp | null;
  /** Timestamp of the newest event, except deletions, with a status that grants a plan. */
  granted: EventTimestamp | null;
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

/** The newest payment of an invoice that was settled without money. */
export interface ZeroPayment {
  invoiceId: string;
  timestamp: EventTimestamp;
}

/**
 * Aggregated events of a payer. Every value is an extreme or a set, so the result does not depend on the order of
 * events or on repeats.
 */
export interface PayerAggregate {
  subscriptions: SubscriptionAggregate[];
  /** Timestamp of the newest payment of more than zero. */
  paid: EventTimestamp | null;
  /** Payments of zero that are not older than `paid`, which makes older ones obsolete. Each settles its own invoice only. */
  zeroPayments: ZeroPayment[];
  /** Failures that neither a payment of more than zero nor an activation has settled. */
  failures: FailureAggregate[];
}

export const EMPTY_AGGREGATE: PayerAggregate = {
  subscriptions: [],
  paid: null,
  zeroPayments: [],
  failures: [],
};

/** Plan of a subscription whose events contain no plan. */
export const DEFAULT_PLAN = 'pro';

/** Adds a normalized event. Returns the same object if the event changes nothing. */
export function applyEvent(aggregate: PayerAggregate, event: NormalizedEvent): PayerAggregate {
  switch (event.kind) {
    case 'subscription':
      return withoutSettled(withSubscription(aggregate, event));
    case 'payment':
      return event.isZero ? withZeroPayment(aggregate, event) : withPayment(aggregate, event);
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
    granted: null,
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
    ...(isNewerStatus(event, subscription)
      ? {
          newest: timestamp,
          status,
          currentPeriodEnd: event.currentPeriodEnd,
          cancelAtPeriodEnd: event.cancelAtPeriodEnd,
        }
      : {}),
    ...(plan !== null && !deletes && isNewer(timestamp, subscription.planned) ? { planned: timestamp, plan } : {}),
    began: older(subscription.began, noLaterThan(timestamp, event.startedAt)),
    deleted: deletes ? newer(subscription.deleted, timestamp) : subscription.deleted,
    granted: !deletes && grantsPlan(status) ? newer(subscription.granted, timestamp) : subscription.granted,
    activated: activates ? newer(subscription.activated, timestamp) : subscription.activated,
    paused: pauses ? newer(subscription.paused, timestamp) : subscription.paused,
    resumed: resumes ? newer(subscription.resumed, timestamp) : subscription.resumed,
  };
}

/**
 * Whether an event sets the status. The processor changes a new subscription within a second from `incomplete` to
 * another status, and never back, so of two events of a second the one with `incomplete` is the older one.
 */
function isNewerStatus(
  { timestamp, status }: SubscriptionEvent,
  { newest, status: known }: SubscriptionAggregate,
): boolean {
  const isSameSecond = newest !== '' && createdAtOf(timestamp).getTime() === createdAtOf(newest).getTime();
  if (isSameSecond && (status === 'incomplete') !== (known === 'incomplete')) return known === 'incomplete';
  return isNewer(timestamp, newest);
}

function withPayment(aggregate: PayerAggregate, { timestamp }: PaymentSucceeded): PayerAggregate {
  if (!isNewer(timestamp, aggregate.paid)) return aggregate;
  const zeroPayments = aggregate.zeroPayments.filter((each) => !isCreatedLater(timestamp, each.timestamp));
  return withoutSettled({ ...aggregate, paid: timestamp, zeroPayments });
}

function withZeroPayment(aggregate: PayerAggregate, { timestamp, invoiceId }: PaymentSucceeded): PayerAggregate {
  const { zeroPayments, paid } = aggregate;
  const known = zeroPayments.find((each) => each.invoiceId === invoiceId);
  const isObsolete = paid !== null && isCreatedLater(paid, timestamp);
  if (isObsolete || (known && !isNewer(timestamp, known.timestamp))) return aggregate;
  return {
    ...aggregate,
    zeroPayments: [...zeroPayments.filter((each) => each !== known), { invoiceId, timestamp }],
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

/**
 * The failures that are still a debt: their invoice was not settled with a payment of zero, and their subscription did
 * not expire before its first payment, which voids its invoice.
 */
export function openFailures({ failures, zeroPayments, subscriptions }: PayerAggregate): FailureAggregate[] {
  const isVoid = (subscriptionId: string | null) =>
    subscriptions.some((each) => each.subscriptionId === subscriptionId && each.status === 'incomplete_expired');
  return failures.filter(
    (failure) =>
      !isVoid(failure.subscriptionId) &&
      !zeroPayments.some(
        ({ invoiceId, timestamp }) => invoiceId === failure.invoiceId && !isCreatedLater(failure.timestamp, timestamp),
      ),
  );
}

/**
 * Whether a debt that the subscription reported was paid since: by any payment of more than zero, or by a payment of
 * zero of its failed invoice.
 */
export function isPaidSince(
  { subscriptionId, newest }: SubscriptionAggregate,
  { paid, failures, zeroPayments }: PayerAggregate,
): boolean {
  const own = failures.filter((each) => each.subscriptionId === null || each.subscriptionId === subscriptionId);
  return (
    isNewer(paid, newest) ||
    zeroPayments.some(
      ({ invoiceId, timestamp }) =>
        isNewer(timestamp, newest) && own.some((failure) => failure.invoiceId === invoiceId),
    )
  );
}
