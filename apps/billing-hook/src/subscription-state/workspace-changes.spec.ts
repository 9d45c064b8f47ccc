import type { NormalizedEvent } from './normalized-event';
import { applyEvent } from './payer-aggregate';
import { failed, learn, paid, subscription, updated } from './payer-events.fixture';
import {
  workspaceChanges,
  deriveSubscriptionState,
  affectsWorkspace,
  type SubscriptionState,
} from './subscription-state';

describe('a change of the workspace', () => {
  const first = subscription('created', 1);
  const second = subscription('created', 2, { subscriptionId: 'sub_2' });
  const apply = (events: NormalizedEvent[], event: NormalizedEvent) => {
    const known = learn(events);
    const next = applyEvent(known, event);
    return affectsWorkspace(event, next, {
      before: deriveSubscriptionState(known, false),
      after: deriveSubscriptionState(next, false),
    });
  };
  it.each<[string, NormalizedEvent[], NormalizedEvent, boolean]>([
    [
      'is caused by the newest event of a subscription, even if the state is the same',
      [first],
      updated('active', 2),
      true,
    ],
    [
      'is caused by the end of the last active subscription',
      [first, second, subscription('deleted', 3)],
      { ...subscription('deleted', 4), subscriptionId: 'sub_2' },
      true,
    ],
    ['is not caused by the end of one of two active subscriptions', [first, second], subscription('deleted', 3), false],
    ['is not caused by a final status of one of two active ones', [first, second], updated('canceled', 3), false],
    [
      'is not caused by a subscription that waits for its first payment',
      [first],
      subscription('created', 2, { subscriptionId: 'sub_2', status: 'incomplete' }),
      false,
    ],
    ['is not caused by a payment of zero', [first], paid(2, { isZero: true }), false],
    ['is caused by a payment of zero that settles a debt', [first, failed(2)], paid(3, { isZero: true }), true],
    ['is not caused by a pause that has ended', [first, updated('active', 3)], subscription('paused', 2), false],
    [
      'is caused by a late event that changes the state',
      [subscription('paused', 1), subscription('created', 3, { subscriptionId: 'sub_2' })],
      subscription('deleted', 2),
      true,
    ],
    ['is caused by a payment', [first], paid(2), true],
  ])('%s', (_what, events, event, expected) => {
    expect(apply(events, event)).toBe(expected);
  });
});

describe('after a payment, the status of a workspace', () => {
  const states = (before: SubscriptionState['status'], after: SubscriptionState['status']) => ({
    before: { plan: 'pro', status: before },
    after: { plan: 'pro', status: after },
  });
  it.each([
    ['changes from past due to active', 'past_due', states('past_due', 'active'), { status: 'active' }],
    ['changes from past due to active without a known state', 'past_due', states(null, null), { status: 'active' }],
    ['changes from locked for a debt to active', 'locked', states('locked', 'active'), { status: 'active' }],
    ['remains locked if an operator locked it', 'locked', states('active', 'active'), {}],
    ['remains locked if the subscription is paused', 'locked', states('locked', 'locked'), {}],
    ['remains canceled', 'canceled', states(null, null), {}],
    ['remains active', 'active', states('active', 'active'), {}],
  ] as const)('%s', (_what, status, given, changes) => {
    expect(workspaceChanges({ plan: 'special', status }, given, 'payment')).toEqual(changes);
  });
});

describe('a lock by an operator', () => {
  it.each([
    ['remains after a failure', 'failure', 'past_due', {}],
    ['remains when a subscription is past due', 'subscription', 'past_due', {}],
    ['remains when a subscription ends', 'subscription', 'canceled', {}],
    ['is removed when a subscription is active', 'subscription', 'active', { status: 'active' }],
  ] as const)('%s', (_what, cause, status, changes) => {
    const states = { before: { plan: null, status: null }, after: { plan: 'pro', status } };
    expect(workspaceChanges({ plan: 'pro', status: 'locked' }, states, cause)).toEqual(changes);
  });
});
