import { fieldsOf, idOf, listOf, timeOf, type Fields } from '../settling/json-fields';
import type { SubscriptionEvent } from '../subscription-state/normalized-event';
import type { EventTimestamp } from '../subscription-state/event-timestamp';
import { DEFAULT_PLAN } from '../subscription-state/payer-aggregate';
import { isSubscriptionStatus, type SubscriptionStatus } from '../subscription-state/subscription-status';
import { planOf } from './plan-of';

/** Normalizes the subscription object of an event. Returns null if it has no id or an unknown status. */
export function normalizeSubscription(
  change: SubscriptionEvent['change'],
  timestamp: EventTimestamp,
  subscription: Fields,
  plansByPrice: Map<string, string>,
): SubscriptionEvent | null {
  const subscriptionId = idOf(subscription['id']);
  const status = statusOf(change, subscription['status']);
  if (subscriptionId === null || status === null) return null;
  return {
    kind: 'subscription',
    timestamp,
    change,
    subscriptionId,
    status,
    startedAt: timeOf(subscription['created']) ?? timeOf(subscription['start_date']),
    plan: planOf(subscription, plansByPrice) ?? (change === 'created' ? DEFAULT_PLAN : null),
    currentPeriodEnd: periodEndOf(subscription),
    cancelAtPeriodEnd: subscription['cancel_at_period_end'] === true,
  };
}

/** Returns the status. For deletions, pauses and resumptions, the event type determines it, regardless of the object. */
function statusOf(change: SubscriptionEvent['change'], status: unknown): SubscriptionStatus | null {
  if (change === 'deleted') return 'canceled';
  if (change === 'paused') return 'paused';
  if (change === 'created' && status === undefined) return 'active';
  return isSubscriptionStatus(status) ? status : null;
}

/** Reads the period, which is on the items in newer versions of the processor's API and on the subscription in older versions. */
function periodEndOf(subscription: Fields): Date | null {
  const [item] = listOf(fieldsOf(subscription['items'])['data']);
  return timeOf(fieldsOf(item)['current_period_end']) ?? timeOf(subscription['current_period_end']);
}
