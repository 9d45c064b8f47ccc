import type { NormalizedEvent, PaymentFailed, SubscriptionEvent } from './normalized-event';
import { FREE_PLAN, type SubscriptionState } from './subscription-state';
import { meaningOf } from './subscription-status';

/**
 * Derives the state from all events in their order. The aggregate, which stores only a part of the events, must lead
 * to the same state.
 */
export function stateFromAllEvents(events: NormalizedEvent[], isDunned: boolean): SubscriptionState {
  const ordered = events.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
  const subscriptionEvents = ordered.filter((event) => event.kind === 'subscription');
  const replaced = new Set(
    subscriptionEvents
      .filter((event) => isOfReplaced(event, subscriptionEvents))
      .map(({ subscriptionId }) => subscriptionId),
  );
  const endedReplaced = new Set([...replaced].filter((id) => !isNotCanceled(id, subscriptionEvents)));
  const paused = new Set<string>();
  let plan = endedReplaced.size > 0 || subscriptionEvents.some(({ change }) => change === 'deleted') ? FREE_PLAN : null;
  let newestPlan = 'pro';
  let last: SubscriptionEvent | null = null;
  for (const event of subscriptionEvents) {
    if (event.change === 'updated' && event.status === 'active') paused.clear();
    if (endedReplaced.has(event.subscriptionId)) continue;
    if (event.change === 'deleted') {
      paused.delete(event.subscriptionId);
      if (replaced.has(event.subscriptionId)) continue;
      paused.clear();
      plan = FREE_PLAN;
    } else {
      if (event.plan !== null) newestPlan = event.plan;
      if (event.plan !== null || reportsActive(event)) plan = newestPlan;
      if (event.status === 'paused') paused.add(event.subscriptionId);
    }
    last = event;
  }
  const isOver = last !== null && meaningOf(last.status) === 'canceled';
  if (isOver) plan = FREE_PLAN;
  const unsettled = ordered.filter((event) => event.kind === 'failure' && !isSettled(event, ordered));
  if ((paused.size > 0 && !isOver) || (isDunned && unsettled.length > 0)) return { plan, status: 'locked' };
  return { plan, status: statusAfter(last, unsettled, ordered) };
}

function statusAfter(
  last: SubscriptionEvent | null,
  unsettled: NormalizedEvent[],
  all: NormalizedEvent[],
): SubscriptionState['status'] {
  if (last === null) return unsettled.length > 0 ? 'past_due' : null;
  if (meaningOf(last.status) === 'canceled') {
    return unsettled.some(({ timestamp }) => timestamp > last.timestamp) ? 'past_due' : 'canceled';
  }
  if (unsettled.length > 0) return 'past_due';
  const isPaid = all.some(({ kind, timestamp }) => kind === 'payment' && timestamp > last.timestamp);
  return meaningOf(last.status) === 'past_due' && !isPaid ? 'past_due' : 'active';
}

/** Whether another active subscription started in a later second. */
function isOfReplaced({ subscriptionId }: SubscriptionEvent, subscriptionEvents: SubscriptionEvent[]): boolean {
  const firstSecond = firstSecondOf(subscriptionId, subscriptionEvents);
  return subscriptionEvents.some(
    (other) =>
      isNotCanceled(other.subscriptionId, subscriptionEvents) &&
      firstSecondOf(other.subscriptionId, subscriptionEvents) > firstSecond,
  );
}

function firstSecondOf(id: string, subscriptionEvents: SubscriptionEvent[]): number {
  return Math.min(
    ...subscriptionEvents
      .filter((event) => event.subscriptionId === id)
      .map(({ timestamp }) => Math.trunc(Number(timestamp))),
  );
}

function isNotCanceled(id: string, subscriptionEvents: SubscriptionEvent[]): boolean {
  const last = subscriptionEvents.findLast((event) => event.subscriptionId === id);
  return last !== undefined && meaningOf(last.status) !== 'canceled';
}

function reportsActive({ change, status }: SubscriptionEvent): boolean {
  return (change === 'created' || change === 'updated') && meaningOf(status) === 'active';
}

function isSettled({ timestamp, subscriptionId }: PaymentFailed, all: NormalizedEvent[]): boolean {
  return all.some(
    (event) =>
      event.timestamp > timestamp &&
      (event.kind === 'payment' ||
        (event.kind === 'subscription' &&
          reportsActive(event) &&
          (subscriptionId === null || event.subscriptionId === subscriptionId))),
  );
}
