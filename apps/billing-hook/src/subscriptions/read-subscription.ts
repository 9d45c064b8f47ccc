import { fieldsOf, idOf, listOf, timeOf, type Fields } from '../settling/json-fields';
import type { SubscriptionFact } from '../standing/facts';
import type { Moment } from '../standing/moment';
import { DEFAULT_PLAN } from '../standing/registers';
import { isSubscriptionStatus, type SubscriptionStatus } from '../standing/subscription-status';
import { planOf } from './plan-of';

/** What a subscription object of an event says. Null when it has no id, or a status that nobody knows. */
export function readSubscription(
  change: SubscriptionFact['change'],
  moment: Moment,
  subscription: Fields,
  plansByPrice: Map<string, string>,
): SubscriptionFact | null {
  const subscriptionId = idOf(subscription['id']);
  const status = statusOf(change, subscription['status']);
  if (subscriptionId === null || status === null) return null;
  return {
    kind: 'subscription',
    moment,
    change,
    subscriptionId,
    status,
    plan: planOf(subscription, plansByPrice) ?? (change === 'created' ? DEFAULT_PLAN : null),
    currentPeriodEnd: periodEndOf(subscription),
    cancelAtPeriodEnd: subscription['cancel_at_period_end'] === true,
  };
}

/** The event itself says how a deletion, a pause and a beginning end, whatever the object has. */
function statusOf(change: SubscriptionFact['change'], status: unknown): SubscriptionStatus | null {
  if (change === 'deleted') return 'canceled';
  if (change === 'paused') return 'paused';
  if (change === 'created' && status === undefined) return 'active';
  return isSubscriptionStatus(status) ? status : null;
}

/** On the items in newer versions of the processor's API, on the subscription in older ones. */
function periodEndOf(subscription: Fields): Date | null {
  const [item] = listOf(fieldsOf(subscription['items'])['data']);
  return timeOf(fieldsOf(item)['current_period_end']) ?? timeOf(subscription['current_period_end']);
}
