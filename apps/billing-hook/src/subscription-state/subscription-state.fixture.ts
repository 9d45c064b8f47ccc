import type { NormalizedEvent, PaymentFailed, SubscriptionEvent } from './normalized-event';
import { FREE_PLAN, type SubscriptionState } from './subscription-state';
import { meaningOf } from './subscription-status';

/**
 * Derives the subscription state from the ordered list of all events. The aggregate, which stores only extremes and
 * sets, must lead to the same state.
 */
export function stateFromAllEvents(events: NormalizedEvent[], isDunned: boolean): SubscriptionState {
  const ordered = events.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
  const subscriptionEvents = ordered.filter((event) => event.kind === 'subscription');
  const replaced = new Set(
    subscriptionEvents
      .filter((event) => isOfReplaced(event, subscriptionEvents))
      .map(({ subscriptionId }) => subscriptionId),
  );
  const passedOver = new Set([...replaced].filter((id) => !goesOn(id, subscriptionEvents)));
  const paused = new Set<string>();
  let plan = passedOver.size > 0 || subscriptionEvents.some(({ change }) => change === 'deleted') ? FREE_PLAN : null;
  let named = 'pro';
  let last: SubscriptionEvent | null = null;
  for (const event of subscriptionEvents) {
    if (event.change === 'updated' && event.status === 'active') paused.clear();
    if (passedOver.has(event.subscriptionId)) continue;
    if (event.change === 'deleted') {
      paused.delete(event.subscriptionId);
      if (replaced.has(event.subscriptionId)) continue;
      paused.clear();
      plan = FREE_PLAN;
    } else {
      if (event.plan !== null) named = event.plan;
      if (event.plan !== null || callsActive(event)) plan = named;
      if (event.status === 'paused') paused.add(event.subscriptionId);
    }
    last = event;
  }
  const isOver = last !== null && meaningOf(last.status) === 'canceled';
  if (isOver) plan = FREE_PLAN;
  const owed = ordered.filter((event) => event.kind === 'failure' && !isSettled(event, ordered));
  if ((paused.size > 0 && !isOver) || (isDunned && owed.length > 0)) return { plan, status: 'locked' };
  return { plan, status: statusAfter(last, owed, ordered) };
}

function statusAfter(
  last: SubscriptionEvent | null,
  owed: NormalizedEvent[],
  all: NormalizedEvent[],
): SubscriptionState['status'] {
  if (last === null) return owed.length > 0 ? 'past_due' : null;
  if (meaningOf(last.status) === 'canceled') {
    return owed.some(({ timestamp }) => timestamp > last.timestamp) ? 'past_due' : 'canceled';
  }
  if (owed.length > 0) return 'past_due';
  const isPaid = all.some(({ kind, timestamp }) => kind === 'payment' && timestamp > last.timestamp);
  return meaningOf(last.status) === 'past_due' && !isPaid ? 'past_due' : 'active';
}

/** Whether another subscription is not canceled and has its first event in a later second. */
function isOfReplaced({ subscriptionId }: SubscriptionEvent, subscriptionEvents: SubscriptionEvent[]): boolean {
  const begin = beginOf(subscriptionId, subscriptionEvents);
  return subscriptionEvents.some(
    (other) =>
      goesOn(other.subscriptionId, subscriptionEvents) && beginOf(other.subscriptionId, subscriptionEvents) > begin,
  );
}

function beginOf(id: string, subscriptionEvents: SubscriptionEvent[]): number {
  return Math.min(
    ...subscriptionEvents
      .filter((event) => event.subscriptionId === id)
      .map(({ timestamp }) => Math.trunc(Number(timestamp))),
  );
}

function goesOn(id: string, subscriptionEvents: SubscriptionEvent[]): boolean {
  const last = subscriptionEvents.findLast((event) => event.subscriptionId === id);
  return last !== undefined && meaningOf(last.status) !== 'canceled';
}

function callsActive({ change, status }: SubscriptionEvent): boolean {
  return (change === 'created' || change === 'updated') && meaningOf(status) === 'active';
}

function isSettled({ timestamp, subscriptionId }: PaymentFailed, all: NormalizedEvent[]): boolean {
  return all.some(
    (event) =>
      event.timestamp > timestamp &&
      (event.kind === 'payment' ||
        (event.kind === 'subscription' &&
          callsActive(event) &&
          (subscriptionId === null || event.subscriptionId === subscriptionId))),
  );
}
