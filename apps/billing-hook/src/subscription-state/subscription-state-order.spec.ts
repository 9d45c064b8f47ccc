import fc from 'fast-check';
import type { NormalizedEvent } from './normalized-event';
import { applyEvent, EMPTY_AGGREGATE, type PayerAggregate } from './payer-aggregate';
import { at, failed, learn, paid, state, subscription, updated } from './payer-events.fixture';
import {
  workspaceChanges,
  deriveSubscriptionState,
  affectsWorkspace,
  type SubscriptionState,
} from './subscription-state';
import { stateFromAllEvents } from './subscription-state.fixture';
import type { SubscriptionStatus } from './subscription-status';

describe('the subscription state of a workspace', () => {
  describe('for any events', () => {
    const statuses: SubscriptionStatus[] = [
      ...(['active', 'trialing', 'past_due', 'unpaid', 'incomplete'] as const),
      ...(['canceled', 'incomplete_expired', 'paused'] as const),
    ];
    const id = fc.constantFrom('sub_1', 'sub_2', 'sub_3');
    const plan = fc.constantFrom(null, 'gold', 'silver');
    const startedAt = fc.constantFrom(null, new Date(0), new Date(2_000));
    const invoiceId = fc.constantFrom('in_1', 'in_2');
    const kind = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          change: fc.constant('updated' as const),
          status: fc.constantFrom(...statuses),
          plan,
          startedAt,
          subscriptionId: id,
        }),
      },
      {
        weight: 6,
        arbitrary: fc.record({
          change: fc.constantFrom('created' as const, 'deleted' as const, 'paused' as const),
          plan,
          startedAt,
          subscriptionId: id,
        }),
      },
      { weight: 2, arbitrary: fc.record({ isZero: fc.boolean(), invoiceId }) },
      { weight: 2, arbitrary: fc.record({ failed: fc.option(id, { nil: null }), invoiceId }) },
    );
    /** Two events occur in each second. */
    const history = fc.array(kind, { minLength: 1, maxLength: 9 }).map((kinds) =>
      kinds.map((each, index): NormalizedEvent => {
        const timestamp = at(Math.floor(index / 2), index);
        if ('isZero' in each) return paid(index, { ...each, timestamp });
        if ('failed' in each) return { ...failed(index, each.failed, each.invoiceId), timestamp };
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
    const sorted = ({ subscriptions, failures, zeroPayments, paid: newest }: PayerAggregate) => ({
      newest,
      zeroPayments: zeroPayments.toSorted((a, b) => a.invoiceId.localeCompare(b.invoiceId)),
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
  it('is returned unchanged, as the same object, if an event changes nothing', () => {
    const zero = paid(4, { isZero: true });
    const events = [subscription('created', 1, { plan: 'gold' }), paid(2), failed(3), zero];
    const known = learn(events);
    for (const event of [...events, paid(1), failed(1), paid(1, { isZero: true })])
      expect(applyEvent(known, event)).toBe(known);
  });
});
