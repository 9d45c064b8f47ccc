import type { NormalizedEvent } from './normalized-event';
import { failed, paid, state, subscription, updated } from './payer-events.fixture';
import type { SubscriptionState } from './subscription-state';

describe('the subscription state of a workspace', () => {
  const cases: [string, NormalizedEvent[], SubscriptionState][] = [
    ['is past due after a failure', [subscription('created', 1), failed(2)], { plan: 'pro', status: 'past_due' }],
    ['is past due after only a failure', [failed(2)], { plan: null, status: 'past_due' }],
    [
      'is active after the payment',
      [subscription('created', 1), failed(2), paid(3)],
      { plan: 'pro', status: 'active' },
    ],
    [
      'is active after a payment that is newer than past_due',
      [updated('past_due', 2), paid(3)],
      { plan: null, status: 'active' },
    ],
    [
      'is past due if this status is newer than a payment',
      [paid(1), updated('past_due', 2)],
      { plan: null, status: 'past_due' },
    ],
    ['ignores a failure that is older than a payment', [paid(3), failed(2)], { plan: null, status: null }],
    [
      'is active again when the subscription of the failure is active',
      [failed(2, 'sub_1'), updated('active', 3)],
      { plan: 'pro', status: 'active' },
    ],
    [
      'remains past due when another subscription is active',
      [failed(2, 'sub_9'), updated('active', 3)],
      { plan: 'pro', status: 'past_due' },
    ],
    [
      'is canceled after a failure and the end of the subscription',
      [failed(2), subscription('deleted', 3)],
      { plan: 'free', status: 'canceled' },
    ],
    [
      'is past due after the end of the subscription and a failure',
      [failed(3), subscription('deleted', 2)],
      { plan: 'free', status: 'past_due' },
    ],
    [
      'is past due after a failure and a payment of zero of another invoice',
      [subscription('created', 1), failed(2), paid(3, { invoiceId: 'in_2', isZero: true })],
      { plan: 'pro', status: 'past_due' },
    ],
    [
      'is active after a payment of zero of the failed invoice',
      [subscription('created', 1), failed(2, 'sub_1'), updated('past_due', 3), paid(4, { isZero: true })],
      { plan: 'pro', status: 'active' },
    ],
    [
      'is active after a payment of zero and a payment of more than zero',
      [subscription('created', 1), failed(2), paid(3, { invoiceId: 'in_2', isZero: true }), paid(4)],
      { plan: 'pro', status: 'active' },
    ],
    [
      'is past due if another invoice failed than the one that was settled with a payment of zero',
      [
        subscription('created', 1),
        failed(2),
        failed(3, null, 'in_2'),
        paid(4, { isZero: true }),
        paid(5, { invoiceId: 'in_3', isZero: true }),
      ],
      { plan: 'pro', status: 'past_due' },
    ],
    [
      'remains past due after a payment of zero that is newer than this status',
      [updated('past_due', 2), paid(3, { isZero: true })],
      { plan: null, status: 'past_due' },
    ],
  ];
  it.each(cases)('%s', (_what, events, expected) => {
    expect(state(events)).toEqual(expected);
    expect(state(events.toReversed())).toEqual(expected);
  });

  it('is locked at the end of a dunning until the debt is paid', () => {
    const owing = [subscription('created', 1), failed(2)];
    expect(state(owing, true)).toEqual({ plan: 'pro', status: 'locked' });
    expect(state([...owing, paid(3)], true)).toEqual({ plan: 'pro', status: 'active' });
  });
});
