import type { NormalizedEvent } from './normalized-event';
import { at, failed, paid, state, subscription, updated } from './payer-events.fixture';
import type { SubscriptionState } from './subscription-state';

describe('the subscription state of a workspace', () => {
  const cases: [string, NormalizedEvent[], SubscriptionState][] = [
    ['is unknown without events', [], { plan: null, status: null }],
    ['has no plan after only a pause', [subscription('paused', 1)], { plan: null, status: 'locked' }],
    ['has no plan after only a past-due status', [updated('past_due', 1)], { plan: null, status: 'past_due' }],
    ['follows the newest status', [updated('past_due', 2), updated('active', 1)], { plan: 'pro', status: 'past_due' }],
    [
      'is free after the subscription is deleted',
      [subscription('created', 1), subscription('deleted', 2)],
      { plan: 'free', status: 'canceled' },
    ],
    [
      'follows an older active subscription after the newest one is deleted',
      [
        subscription('created', 1, { plan: 'gold' }),
        subscription('created', 2, { subscriptionId: 'sub_2', plan: 'silver' }),
        subscription('deleted', 3, { subscriptionId: 'sub_2', plan: 'silver' }),
      ],
      { plan: 'gold', status: 'active' },
    ],
    [
      'is free after an unknown subscription is deleted, if no other is active',
      [subscription('deleted', 2, { subscriptionId: 'sub_2' })],
      { plan: 'free', status: 'canceled' },
    ],
    [
      'follows the active subscription after an unknown one is deleted, which started long ago',
      [
        subscription('created', 100, { subscriptionId: 'sub_b', plan: 'gold', startedAt: new Date(100_000) }),
        subscription('deleted', 200, { subscriptionId: 'sub_a', startedAt: new Date(1_000) }),
      ],
      { plan: 'gold', status: 'active' },
    ],
    [
      'has the plan of the subscription that started last, although an older one was updated later',
      [
        subscription('created', 2, { subscriptionId: 'sub_2', plan: 'silver' }),
        subscription('updated', 3, { plan: 'gold', startedAt: new Date(1_000) }),
      ],
      { plan: 'silver', status: 'active' },
    ],
    [
      'has the plan of an active subscription, although a newer one is past due',
      [
        subscription('created', 1, { plan: 'gold' }),
        subscription('created', 2, { subscriptionId: 'sub_2', plan: 'silver' }),
        subscription('updated', 3, { subscriptionId: 'sub_2', status: 'past_due' }),
      ],
      { plan: 'gold', status: 'active' },
    ],
    [
      'follows a trial, which also keeps the plan when another subscription ends',
      [
        subscription('created', 1, { plan: 'gold' }),
        subscription('created', 2, { subscriptionId: 'sub_2', status: 'trialing', plan: 'silver' }),
        subscription('deleted', 3),
      ],
      { plan: 'silver', status: 'active' },
    ],
    [
      'follows a new subscription after the end of the old one',
      [
        subscription('created', 1, { plan: 'gold' }),
        subscription('deleted', 2),
        subscription('created', 3, { subscriptionId: 'sub_2', plan: 'silver' }),
      ],
      { plan: 'silver', status: 'active' },
    ],
    [
      'has no plan before the first payment of a subscription',
      [subscription('created', 1, { status: 'incomplete', plan: 'gold' })],
      { plan: null, status: null },
    ],
    [
      'has the plan after the first payment, also if the events of a second arrive in the wrong order',
      [
        subscription('created', 1, { timestamp: at(1, 2), status: 'incomplete', plan: 'gold' }),
        subscription('updated', 1, { timestamp: at(1, 1), plan: 'gold' }),
      ],
      { plan: 'gold', status: 'active' },
    ],
    [
      'has no plan of a subscription that expired before its first payment',
      [
        subscription('created', 1, { status: 'incomplete', plan: 'gold' }),
        failed(2, 'sub_1'),
        subscription('updated', 3, { status: 'incomplete_expired', plan: 'gold' }),
      ],
      { plan: null, status: 'canceled' },
    ],
    [
      'has no plan of a subscription that is unpaid from the start',
      [subscription('created', 1, { status: 'unpaid', plan: 'gold' })],
      { plan: null, status: 'past_due' },
    ],
    [
      'keeps the plan of a subscription that becomes unpaid',
      [subscription('created', 1, { plan: 'gold' }), updated('unpaid', 2)],
      { plan: 'gold', status: 'past_due' },
    ],
    [
      'follows the subscription that replaced the deleted one',
      [
        subscription('created', 1, { plan: 'gold' }),
        subscription('created', 2, { subscriptionId: 'sub_2', plan: 'silver' }),
        subscription('deleted', 3, { plan: 'gold' }),
      ],
      { plan: 'silver', status: 'active' },
    ],
    [
      'is free after the replacement is also deleted',
      [
        subscription('created', 1),
        subscription('created', 2, { subscriptionId: 'sub_2' }),
        subscription('deleted', 3),
        subscription('deleted', 4, { subscriptionId: 'sub_2' }),
      ],
      { plan: 'free', status: 'canceled' },
    ],
    [
      'is free after both are deleted, the replacement first',
      [
        subscription('created', 1),
        subscription('created', 2, { subscriptionId: 'sub_2' }),
        subscription('deleted', 3, { subscriptionId: 'sub_2' }),
        subscription('deleted', 4),
      ],
      { plan: 'free', status: 'canceled' },
    ],
    [
      'follows the replacement, although the deleted subscription had an event after its start',
      [
        subscription('created', 1, { plan: 'gold' }),
        subscription('created', 2, { subscriptionId: 'sub_2', plan: 'silver' }),
        subscription('updated', 3, { status: 'past_due', plan: 'gold', cancelAtPeriodEnd: true }),
        subscription('deleted', 4, { plan: 'gold' }),
      ],
      { plan: 'silver', status: 'active' },
    ],
    [
      'follows the replacement if the replaced subscription ends with a status',
      [
        subscription('created', 1, { plan: 'gold' }),
        subscription('created', 2, { subscriptionId: 'sub_2', plan: 'silver' }),
        subscription('updated', 3, { status: 'canceled', plan: 'gold' }),
      ],
      { plan: 'silver', status: 'active' },
    ],
    [
      'follows the older subscription after the newer one ends with a status',
      [
        subscription('created', 1, { plan: 'gold' }),
        subscription('created', 2, { subscriptionId: 'sub_2', plan: 'silver' }),
        subscription('updated', 3, { subscriptionId: 'sub_2', status: 'canceled', plan: 'silver' }),
      ],
      { plan: 'gold', status: 'active' },
    ],
    [
      'follows the older subscription, which had an event after the start of the deleted one',
      [
        subscription('created', 1, { plan: 'gold' }),
        subscription('created', 2, { subscriptionId: 'sub_2', plan: 'silver' }),
        subscription('updated', 3, { plan: 'gold' }),
        subscription('deleted', 4, { subscriptionId: 'sub_2' }),
      ],
      { plan: 'gold', status: 'active' },
    ],
    [
      'follows the older subscription after its first event since the end of the newer one',
      [
        subscription('created', 1, { plan: 'gold' }),
        subscription('created', 2, { subscriptionId: 'sub_2', plan: 'silver' }),
        subscription('deleted', 3, { subscriptionId: 'sub_2' }),
        subscription('updated', 4, { plan: 'gold' }),
      ],
      { plan: 'gold', status: 'active' },
    ],
    [
      'follows the other of two subscriptions that started in the same second after one is deleted',
      [
        subscription('created', 1, { timestamp: at(1, 1) }),
        subscription('created', 1, { timestamp: at(1, 2), subscriptionId: 'sub_2', plan: 'gold' }),
        subscription('deleted', 3),
      ],
      { plan: 'gold', status: 'active' },
    ],
    [
      'is free until a replacement is paid',
      [
        subscription('created', 1, { plan: 'gold' }),
        subscription('created', 2, { subscriptionId: 'sub_2', status: 'incomplete', plan: 'silver' }),
        subscription('deleted', 3),
      ],
      { plan: 'free', status: 'canceled' },
    ],
    [
      'is free with a replacement without an active status',
      [
        subscription('created', 1, { plan: 'gold' }),
        subscription('paused', 2, { subscriptionId: 'sub_2' }),
        subscription('deleted', 3),
      ],
      { plan: 'free', status: 'locked' },
    ],
    [
      'remains free after the end if another subscription is past due',
      [
        subscription('created', 1, { plan: 'gold' }),
        subscription('deleted', 2, { plan: 'gold' }),
        subscription('updated', 3, { subscriptionId: 'sub_2', status: 'past_due' }),
      ],
      { plan: 'free', status: 'past_due' },
    ],
    [
      'is unlocked when another subscription is active',
      [subscription('paused', 1), subscription('updated', 2, { subscriptionId: 'sub_2' })],
      { plan: 'pro', status: 'active' },
    ],
    [
      'is not unlocked when another subscription is created',
      [subscription('paused', 1), subscription('created', 2, { subscriptionId: 'sub_2' })],
      { plan: 'pro', status: 'locked' },
    ],
    [
      'is unlocked when the paused subscription ends, although another replaces it',
      [
        subscription('paused', 1),
        subscription('deleted', 2),
        subscription('created', 3, { subscriptionId: 'sub_2', plan: 'gold' }),
      ],
      { plan: 'gold', status: 'active' },
    ],
    [
      'is unlocked when the paused and replaced subscription ends with a status',
      [
        subscription('created', 1),
        subscription('created', 2, { subscriptionId: 'sub_2' }),
        subscription('paused', 3),
        updated('canceled', 4),
      ],
      { plan: 'pro', status: 'active' },
    ],
    [
      'is not unlocked when another subscription ends that was not replaced',
      [subscription('paused', 1), subscription('deleted', 2, { subscriptionId: 'sub_2' }), updated('past_due', 3)],
      { plan: 'free', status: 'locked' },
    ],
    [
      'is not locked when one of two active subscriptions is paused',
      [
        subscription('created', 1, { plan: 'gold' }),
        subscription('created', 2, { subscriptionId: 'sub_2', plan: 'silver' }),
        subscription('paused', 3, { subscriptionId: 'sub_2' }),
      ],
      { plan: 'gold', status: 'active' },
    ],
    [
      'is locked when the active one of two subscriptions ends and the other is paused',
      [
        subscription('created', 1, { plan: 'gold' }),
        subscription('created', 2, { subscriptionId: 'sub_2', plan: 'silver' }),
        subscription('paused', 3),
        subscription('deleted', 4, { subscriptionId: 'sub_2' }),
      ],
      { plan: 'gold', status: 'locked' },
    ],
    [
      'is not unlocked when another subscription ends that was replaced',
      [
        subscription('created', 1),
        subscription('created', 2, { subscriptionId: 'sub_2' }),
        subscription('paused', 3, { subscriptionId: 'sub_2' }),
        subscription('deleted', 4),
      ],
      { plan: 'pro', status: 'locked' },
    ],
    [
      'is locked by a pause',
      [subscription('created', 1), subscription('paused', 2)],
      { plan: 'pro', status: 'locked' },
    ],
    [
      'is locked by a pause that arrives late',
      [subscription('paused', 2), updated('past_due', 3)],
      { plan: null, status: 'locked' },
    ],
    [
      'is unlocked by a newer active status',
      [subscription('paused', 2), updated('active', 3)],
      { plan: 'pro', status: 'active' },
    ],
    [
      'is not unlocked by an older active status',
      [subscription('paused', 2), updated('active', 1)],
      { plan: 'pro', status: 'locked' },
    ],
    [
      'is not unlocked by a trial',
      [subscription('paused', 2), updated('trialing', 3)],
      { plan: 'pro', status: 'locked' },
    ],
    ['is not unlocked by a payment', [subscription('paused', 2), paid(3)], { plan: null, status: 'locked' }],
  ];
  it.each(cases)('%s', (_what, events, expected) => {
    expect(state(events)).toEqual(expected);
    expect(state(events.toReversed())).toEqual(expected);
  });

  it('follows the later arrival of two events of the same second', () => {
    const active = subscription('updated', 5, { timestamp: at(5, 9), status: 'active' });
    const pastDue = subscription('updated', 5, { timestamp: at(5, 10), status: 'past_due' });
    expect(state([active, pastDue]).status).toBe('past_due');
    expect(state([pastDue, active]).status).toBe('past_due');
  });

  it('keeps the newest plan that was named', () => {
    const events = [subscription('created', 1, { plan: 'gold' }), subscription('updated', 2, { status: 'past_due' })];
    expect(state(events)).toEqual({ plan: 'gold', status: 'past_due' });
  });
});
