import { timestampOf } from './event-timestamp';
import type { NormalizedEvent, PaymentFailed, SubscriptionEvent } from './normalized-event';
import { FREE_PLAN, type SubscriptionState } from './subscription-state';

/** A subscription after its events were processed one after the other. */
interface Replayed {
  id: string;
  start: string;
  status: SubscriptionEvent['status'];
  newest: string;
  plan: string | null;
  plannedAt: string;
  /** Since the last deletion: whether an event named a plan or reported an activation, and whether one granted it. */
  isNamed: boolean;
  isGranted: boolean;
  wasGranted: boolean;
  wasDeleted: boolean;
  pausedAt: string | null;
  resumedAt: string;
}

interface Payments {
  debts: PaymentFailed[];
  /** With the debts, failures that only a payment of zero or an expiry settles. */
  unsettled: PaymentFailed[];
  ordered: NormalizedEvent[];
}

const PAYING = ['active', 'trialing'];
const GRANTING = [...PAYING, 'past_due', 'paused'];
const ENDED = ['canceled', 'incomplete_expired'];
const OWING = ['past_due', 'unpaid', 'incomplete'];

/**
 * Derives the state from all events in their order. The aggregate, which stores only a part of the events, must lead
 * to the same state.
 */
export function stateFromAllEvents(events: NormalizedEvent[], isDunned: boolean): SubscriptionState {
  const ordered = events.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
  const changes = ordered.filter((event) => event.kind === 'subscription');
  const ids = new Set(changes.map(({ subscriptionId }) => subscriptionId));
  const replayed = [...ids].map((id) => replay(changes.filter(({ subscriptionId }) => subscriptionId === id)));
  const unsettled = ordered
    .filter((event) => event.kind === 'failure')
    .filter((failure) => !isSettled(failure, ordered));
  const debts = unsettled.filter((failure) => !isWaived(failure, ordered, replayed));
  const plan = planOf(replayed);
  const isLocked = replayed.some((each) => locks(each, replayed)) || (isDunned && debts.length > 0);
  return { plan, status: isLocked ? 'locked' : statusOf(replayed, { debts, unsettled, ordered }) };
}

function replay(events: SubscriptionEvent[]): Replayed {
  const starts = events.flatMap(({ timestamp, startedAt }) =>
    startedAt === null ? [timestamp] : [timestamp, timestampOf({ created: startedAt, arrival: 0 })],
  );
  const known: Replayed = {
    id: events[0]!.subscriptionId,
    start: starts.sort()[0]!,
    status: 'incomplete',
    newest: '',
    plan: null,
    plannedAt: '',
    isNamed: false,
    isGranted: false,
    wasGranted: false,
    wasDeleted: false,
    pausedAt: null,
    resumedAt: '',
  };
  for (const event of events) apply(known, event);
  return known;
}

function apply(known: Replayed, { change, status, plan, timestamp }: SubscriptionEvent): void {
  const isOfSameSecond = known.newest !== '' && secondOf(known.newest) === secondOf(timestamp);
  if (!(isOfSameSecond && status === 'incomplete' && known.status !== 'incomplete')) {
    known.status = status;
    known.newest = timestamp;
  }
  if (change === 'deleted') {
    known.wasDeleted = true;
    known.isNamed = false;
    known.isGranted = false;
    known.pausedAt = null;
    return;
  }
  if (plan !== null) {
    known.plan = plan;
    known.plannedAt = timestamp;
  }
  if (plan !== null || (change !== 'paused' && PAYING.includes(status))) known.isNamed = true;
  if (GRANTING.includes(status)) {
    known.isGranted = true;
    known.wasGranted = true;
  }
  if (change === 'paused' || status === 'paused') known.pausedAt = timestamp;
  if (change === 'updated' && status === 'active') {
    known.pausedAt = null;
    known.resumedAt = timestamp;
  }
}

function hasEnded({ status }: Replayed): boolean {
  return ENDED.includes(status);
}

function isRunning(each: Replayed): boolean {
  return !hasEnded(each) && (each.status !== 'incomplete' || each.wasGranted);
}

function planOf(all: Replayed[]): string | null {
  const entitled = all.filter((each) => isRunning(each) && each.isNamed && each.isGranted);
  const paying = entitled.filter(({ status }) => PAYING.includes(status));
  const candidates = paying.length > 0 ? paying : entitled;
  const sorted = candidates
    .filter(({ plan }) => plan !== null)
    .sort((a, b) => secondOf(a.start) - secondOf(b.start) || (a.plannedAt < b.plannedAt ? -1 : 1));
  if (candidates.length > 0) return sorted.at(-1)?.plan ?? 'pro';
  const isOver = all.some(
    (each) => each.wasDeleted || each.status === 'canceled' || (hasEnded(each) && each.wasGranted),
  );
  return isOver ? FREE_PLAN : null;
}

function locks(paused: Replayed, all: Replayed[]): boolean {
  const { pausedAt } = paused;
  if (pausedAt === null || !isRunning(paused)) return false;
  const others = all.filter((each) => each !== paused && PAYING.includes(each.status));
  return !others.some((each) => each.start < pausedAt || each.resumedAt > pausedAt);
}

function statusOf(all: Replayed[], { debts, unsettled, ordered }: Payments): SubscriptionState['status'] {
  const running = all.filter(isRunning);
  const lastEnd = all
    .filter(hasEnded)
    .map(({ newest }) => newest)
    .sort()
    .at(-1);
  if (running.length === 0) {
    const counting = debts.filter(({ timestamp }) => lastEnd === undefined || timestamp > lastEnd);
    if (counting.length > 0) return 'past_due';
    return lastEnd === undefined ? null : 'canceled';
  }
  if (debts.length > 0) return 'past_due';
  if (running.some(({ status }) => PAYING.includes(status))) return 'active';
  const owes = running.some((each) => OWING.includes(each.status) && !isPaidSince(each, unsettled, ordered));
  return owes ? 'past_due' : 'active';
}

function isPaidSince({ id, newest }: Replayed, unsettled: PaymentFailed[], ordered: NormalizedEvent[]): boolean {
  const own = unsettled.filter(({ subscriptionId }) => (subscriptionId ?? id) === id);
  return ordered.some(
    (event) =>
      event.kind === 'payment' &&
      event.timestamp > newest &&
      (!event.isZero || own.some(({ invoiceId }) => invoiceId === event.invoiceId)),
  );
}

/** Whether any payment of more than zero or an activation settles the failure. */
function isSettled({ timestamp, subscriptionId }: PaymentFailed, ordered: NormalizedEvent[]): boolean {
  return ordered.some(
    (event) =>
      event.timestamp > timestamp &&
      ((event.kind === 'payment' && !event.isZero) ||
        (event.kind === 'subscription' && reportsActive(event, subscriptionId))),
  );
}

/** Whether a payment of zero settles the failed invoice, or its subscription expired before it was paid. */
function isWaived(
  { timestamp, invoiceId, subscriptionId }: PaymentFailed,
  ordered: NormalizedEvent[],
  all: Replayed[],
) {
  return (
    all.some(({ id, status }) => id === subscriptionId && status === 'incomplete_expired') ||
    ordered.some(
      (event) =>
        event.kind === 'payment' &&
        event.isZero &&
        event.invoiceId === invoiceId &&
        secondOf(event.timestamp) >= secondOf(timestamp),
    )
  );
}

function reportsActive({ change, status, subscriptionId }: SubscriptionEvent, id: string | null): boolean {
  const isActive = (change === 'created' || change === 'updated') && PAYING.includes(status);
  return isActive && (id === null || subscriptionId === id);
}

function secondOf(timestamp: string): number {
  return Math.trunc(Number(timestamp));
}
