import { PLANS, type PaymentEvent } from './payment-event';

export interface Standing {
  plan: string;
  status: string;
}

/** How a workspace stands after its payer's events, one after another in the order of (created, arrival). */
export function expectedStanding(seeded: Standing, inOrder: readonly PaymentEvent[]): Standing {
  let { plan, status } = seeded;
  let [isPaused, hasEnded, owes] = [false, false, false];
  for (const { type, data } of inOrder) {
    const { object } = data;
    switch (type) {
      case 'customer.subscription.created':
      case 'customer.subscription.updated': {
        const isActive = object.status === 'active';
        if (isActive) owes = false;
        if (isActive && type.endsWith('updated')) isPaused = false;
        hasEnded = false;
        plan = PLANS[object.items?.data[0]?.price.lookup_key ?? ''] ?? plan;
        status = isActive && !owes ? 'active' : 'past_due';
        break;
      }
      case 'customer.subscription.paused':
        [isPaused, hasEnded] = [true, false];
        plan = PLANS[object.items?.data[0]?.price.lookup_key ?? ''] ?? plan;
        // What it is beneath the lock.
        status = owes ? 'past_due' : 'active';
        break;
      case 'customer.subscription.deleted':
        [isPaused, hasEnded] = [false, true];
        [plan, status] = ['free', 'canceled'];
        break;
      case 'invoice.payment_failed':
        owes = true;
        status = 'past_due';
        break;
      case 'invoice.payment_succeeded':
        owes = false;
        if (status === 'past_due') status = hasEnded ? 'canceled' : 'active';
        break;
    }
  }
  return { plan, status: isPaused ? 'locked' : status };
}
