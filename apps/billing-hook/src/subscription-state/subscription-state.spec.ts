import fc from 'fast-check';
import type { NormalizedEvent, SubscriptionEvent } from './normalized-event';
import { timestampOf } from './event-timestamp';
import { applyEvent, EMPTY_AGGREGATE, type PayerAggregate } from './payer-aggregate';
import {
  workspaceChanges,
  deriveSubscriptionState,
  affectsWorkspace,
  type SubscriptionState,
} from './subscription-state';
import { stateFromAllEvents } from './subscription-state.fixture';
import type { SubscriptionStatus } from './subscription-status';

const at = (seconds: number, arrival = seconds) => timestampOf({ created: new Date(seconds * 1000), arrival });

const subscription = (
  change: SubscriptionEvent['change'],
  seconds: number,
  event: Partial<SubscriptionEvent> = {},
): SubscriptionEvent => ({
  kind: 'subscription',
  timestamp: at(seconds),
  change,
  subscriptionId: 'sub_1',
  status: ({ created: 'active', updated: 'active', deleted: 'canceled', paused: 'paused' } as const)[change],
  plan: null,
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
  ...event,
});
const updated = (status: SubscriptionStatus, seconds: number) => subscription('updated', seconds, { status });
const paid = (seconds: number): NormalizedEvent => ({ kind: 'payment', timestamp: at(seconds) });
const failed = (seconds: number, subscriptionId: string | null = null): NormalizedEvent => ({
  kind: 'failure',
  timestamp: at(seconds),
  eventId: `evt_${seconds}`,
  invoiceId: 'in_1',
  subscriptionId,
});

const learn = (events: NormalizedEvent[]): PayerAggregate => events.reduce(applyEvent, EMPTY_AGGREGATE);
const state = (events: NormalizedEvent[], isDunned = false) => deriveSubscriptionState(learn(events), isDunned);

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

  describe('for any events', () => {
    const statuses: SubscriptionStatus[] = ['active', 'trialing', 'past_due', 'unpaid', 'canceled', 'paused'];
    const id = fc.constantFrom('sub_1', 'sub_2', 'sub_3');
    const plan = fc.constantFrom(null, 'gold', 'silver');
    const kind = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          change: fc.constant('updated' as const),
          status: fc.constantFrom(...statuses),
          plan,
          subscriptionId: id,
        }),
      },
      {
        weight: 6,
        arbitrary: fc.record({
          change: fc.constantFrom('created' as const, 'deleted' as const, 'paused' as const),
          plan,
          subscriptionId: id,
        }),
      },
      { weight: 1, arbitrary: fc.constant('paid' as const) },
      { weight: 1, arbitrary: fc.record({ failed: fc.option(id, { nil: null }) }) },
    );
    /** Two events occur in each second. */
    const history = fc.array(kind, { minLength: 1, maxLength: 9 }).map((kinds) =>
      kinds.map((each, index): NormalizedEvent => {
        const timestamp = at(Math.floor(index / 2), index);
        if (each === 'paid') return { ...paid(index), timestamp };
        if ('failed' in each) return { ...failed(index, each.failed), timestamp };
        return subscription(each.change, index, { ...each, timestamp });
      }),
    );
    const shuffled = history.chain((events) =>
      fc.tuple(
        fc.constant(events),
        fc
          .array(fc.constantFrom(...events), { maxLength: 4 })
          .chain((repeats) =>
            fc.shuffledSubarray([...events, ...repeats], { minLength: events.length + repeats.length }),
          ),
      ),
    );
    const sorted = ({ subscriptions, failures, paid: newest }: PayerAggregate) => ({
      newest,
      subscriptions: subscriptions.toSorted((a, b) => a.subscriptionId.localeCompare(b.subscriptionId)),
      failures: failures.toSorted((a, b) => a.eventId.localeCompare(b.eventId)),
    });

    it('is independent of their order and of repetitions', () => {
      fc.assert(
        fc.property(shuffled, fc.boolean(), ([events, others], isDunned) => {
          expect(sorted(learn(others))).toEqual(sorted(learn(events)));
          expect(state(others, isDunned)).toEqual(state(events, isDunned));
        }),
        { numRuns: 1_000 },
      );
    });

    it('is the same as when all events are processed in order', () => {
      fc.assert(
        fc.property(shuffled, fc.boolean(), ([events, others], isDunned) => {
          expect(state(others, isDunned)).toEqual(stateFromAllEvents(events, isDunned));
        }),
        { numRuns: 5_000 },
      );
    });
  });

  it('writes the same workspace for any order of events', () => {
    const events = [
      subscription('created', 1, { plan: 'gold' }),
      failed(2),
      updated('past_due', 3),
      paid(4),
      updated('active', 5),
      subscription('paused', 6),
      failed(7),
      subscription('created', 8, { subscriptionId: 'sub_2', plan: 'silver' }),
      subscription('updated', 9, { plan: 'gold', cancelAtPeriodEnd: true }),
      subscription('deleted', 10),
      subscription('updated', 11, { subscriptionId: 'sub_2' }),
      subscription('deleted', 12, { subscriptionId: 'sub_2' }),
    ];
    const write = (order: NormalizedEvent[]) => {
      let aggregate = EMPTY_AGGREGATE;
      let workspace: { plan: string; status: NonNullable<SubscriptionState['status']> } = {
        plan: 'free',
        status: 'active',
      };
      for (const event of order) {
        const next = applyEvent(aggregate, event);
        if (next === aggregate) continue;
        const states = {
          before: deriveSubscriptionState(aggregate, false),
          after: deriveSubscriptionState(next, false),
        };
        if (affectsWorkspace(event, next, states))
          workspace = { ...workspace, ...workspaceChanges(workspace, states, event.kind) };
        aggregate = next;
      }
      return workspace;
    };
    const any = fc
      .subarray(events, { minLength: 1 })
      .chain((some) => fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length })));
    fc.assert(
      fc.property(any, ([some, others]) => expect(write(others)).toEqual(write(some))),
      { numRuns: 1_000 },
    );
  });
});

describe('the stored aggregate of a payer', () => {
  it('is the same object after an event that changes nothing', () => {
    const events = [subscription('created', 1, { plan: 'gold' }), paid(2), failed(3)];
    const known = learn(events);
    for (const event of [...events, paid(1), failed(1)]) expect(applyEvent(known, event)).toBe(known);
  });
});

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
      'is caused by the end of the newest subscription',
      [first, second],
      { ...subscription('deleted', 3), subscriptionId: 'sub_2' },
      true,
    ],
    ['is not caused by the end of a replaced subscription', [first, second], subscription('deleted', 3), false],
    ['is not caused by a final status of a replaced subscription', [first, second], updated('canceled', 3), false],
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
