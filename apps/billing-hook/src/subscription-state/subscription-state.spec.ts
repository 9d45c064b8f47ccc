import type { NormalizedEvent } from './normalized-event';
import { at, paid, state, subscription, updated } from './payer-events.fixture';
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
      'is free after the newest subscription is deleted, although an older one exists',
      [
        subscription('created', 1, { plan: 'gold' }),
        subscription('created', 2, { subscriptionId: 'sub_2', plan: 'silver' }),
        subscription('deleted', 3, { subscriptionId: 'sub_2', plan: 'silver' }),
      ],
      { plan: 'free', status: 'canceled' },
    ],
    [
      'is free after an unknown subscription is deleted',
      [subscription('created', 1), subscription('deleted', 2, { subscriptionId: 'sub_2' })],
      { plan: 'free', status: 'canceled' },
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
      'is free after the replacement ends with a status',
      [
        subscription('created', 1, { plan: 'gold' }),
        subscription('created', 2, { subscriptionId: 'sub_2', plan: 'silver' }),
        subscription('updated', 3, { subscriptionId: 'sub_2', status: 'incomplete_expired', plan: 'silver' }),
      ],
      { plan: 'free', status: 'canceled' },
    ],
    [
      'is free after the newest subscription is deleted, although an older one had an event after its start',
      [
        subscription('created', 1, { plan: 'gold' }),
        subscription('created', 2, { subscriptionId: 'sub_2', plan: 'silver' }),
        subscription('updated', 3, { plan: 'gold' }),
        subscription('deleted', 4, { subscriptionId: 'sub_2' }),
      ],
      { plan: 'free', status: 'canceled' },
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
      'is free after one of two subscriptions that started in the same second is deleted',
      [
        subscription('created', 1, { timestamp: at(1, 1) }),
        subscription('created', 1, { timestamp: at(1, 2), subscriptionId: 'sub_2' }),
        subscription('deleted', 3),
      ],
      { plan: 'free', status: 'canceled' },
    ],
    [
      'follows a replacement that is not paid yet',
      [
        subscription('created', 1, { plan: 'gold' }),
        subscription('created', 2, { subscriptionId: 'sub_2', status: 'incomplete', plan: 'silver' }),
        subscription('deleted', 3),
      ],
      { plan: 'silver', status: 'past_due' },
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
      'is unlocked when another subscription ends that was not replaced',
      [subscription('paused', 1), subscription('deleted', 2, { subscriptionId: 'sub_2' }), updated('past_due', 3)],
      { plan: 'free', status: 'past_due' },
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
