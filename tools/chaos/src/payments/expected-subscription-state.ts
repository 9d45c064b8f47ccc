import { PLANS, type PaymentEvent } from './payment-event';

export interface SubscriptionState {
  plan: string;
  status: string;
}

/** The state of a workspace after the events of its customer, applied in the order of (created, arrival). */
export function expectedSubscriptionState(
  initial: SubscriptionState,
  inOrder: readonly PaymentEvent[],
): SubscriptionState {
  let { plan, status } = initial;
  let isPaused = false;
  let hasEnded = false;
  let isOverdue = false;
  for (const { type, data } of inOrder) {
    const { object } = data;
    switch (type) {
      case 'customer.subscription.created':
      case 'customer.subscription.updated': {
        const isActive = object.status === 'active';
        if (isActive) isOverdue = false;
        if (isActive && type.endsWith('updated')) isPaused = false;
        hasEnded = false;
        plan = PLANS[object.items?.data[0]?.price.lookup_key ?? ''] ?? plan;
        status = isActive && !isOverdue ? 'active' : 'past_due';
        break;
      }
      case 'customer.subscription.paused':
        [isPaused, hasEnded] = [true, false];
        plan = PLANS[object.items?.data[0]?.price.lookup_key ?? ''] ?? plan;
        // The status that applies once the subscription resumes.
        status = isOverdue ? 'past_due' : 'active';
        break;
      case 'customer.subscription.deleted':
        [isPaused, hasEnded] = [false, true];
        [plan, status] = ['free', 'canceled'];
        break;
      case 'invoice.payment_failed':
        isOverdue = true;
        status = 'past_due';
        break;
      case 'invoice.payment_succeeded':
        isOverdue = false;
        if (status === 'past_due') status = hasEnded ? 'canceled' : 'active';
        break;
    }
  }
  return { plan, status: isPaused ? 'locked' : status };
}
