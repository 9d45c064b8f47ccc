import type { Fact, FailureFact, SubscriptionFact } from './facts';
import { FREE_PLAN, type Standing } from './standing';
import { meaningOf } from './subscription-status';

/**
 * The standing as its rules are told, from all events at once and in their order: what the registers must come to that
 * have forgotten most of them.
 */
export function standingOneByOne(facts: Fact[], isDunned: boolean): Standing {
  const ordered = facts.toSorted((a, b) => (a.moment < b.moment ? -1 : 1));
  const told = ordered.filter((fact) => fact.kind === 'subscription');
  const replaced = new Set(told.filter((fact) => isOfReplaced(fact, told)).map(({ subscriptionId }) => subscriptionId));
  const passedOver = new Set([...replaced].filter((id) => !goesOn(id, told)));
  const paused = new Set<string>();
  let plan = passedOver.size > 0 || told.some(({ change }) => change === 'deleted') ? FREE_PLAN : null;
  let named = 'pro';
  let last: SubscriptionFact | null = null;
  for (const fact of told) {
    if (fact.change === 'updated' && fact.status === 'active') paused.clear();
    if (passedOver.has(fact.subscriptionId)) continue;
    if (fact.change === 'deleted') {
      paused.delete(fact.subscriptionId);
      if (replaced.has(fact.subscriptionId)) continue;
      paused.clear();
      plan = FREE_PLAN;
    } else {
      if (fact.plan !== null) named = fact.plan;
      if (fact.plan !== null || callsActive(fact)) plan = named;
      if (fact.status === 'paused') paused.add(fact.subscriptionId);
    }
    last = fact;
  }
  const isOver = last !== null && meaningOf(last.status) === 'canceled';
  if (isOver) plan = FREE_PLAN;
  const owed = ordered.filter((fact) => fact.kind === 'failure' && !isSettled(fact, ordered));
  if ((paused.size > 0 && !isOver) || (isDunned && owed.length > 0)) return { plan, status: 'locked' };
  return { plan, status: statusAfter(last, owed, ordered) };
}

function statusAfter(last: SubscriptionFact | null, owed: Fact[], all: Fact[]): Standing['status'] {
  if (last === null) return owed.length > 0 ? 'past_due' : null;
  if (meaningOf(last.status) === 'canceled') {
    return owed.some(({ moment }) => moment > last.moment) ? 'past_due' : 'canceled';
  }
  if (owed.length > 0) return 'past_due';
  const isPaid = all.some(({ kind, moment }) => kind === 'payment' && moment > last.moment);
  return meaningOf(last.status) === 'past_due' && !isPaid ? 'past_due' : 'active';
}

/** Whether another subscription goes on of which the first was told in a later second. */
function isOfReplaced({ subscriptionId }: SubscriptionFact, told: SubscriptionFact[]): boolean {
  const begin = beginOf(subscriptionId, told);
  return told.some((other) => goesOn(other.subscriptionId, told) && beginOf(other.subscriptionId, told) > begin);
}

function beginOf(id: string, told: SubscriptionFact[]): number {
  return Math.min(...told.filter((fact) => fact.subscriptionId === id).map(({ moment }) => Math.trunc(Number(moment))));
}

function goesOn(id: string, told: SubscriptionFact[]): boolean {
  const last = told.findLast((fact) => fact.subscriptionId === id);
  return last !== undefined && meaningOf(last.status) !== 'canceled';
}

function callsActive({ change, status }: SubscriptionFact): boolean {
  return (change === 'created' || change === 'updated') && meaningOf(status) === 'active';
}

function isSettled({ moment, subscriptionId }: FailureFact, all: Fact[]): boolean {
  return all.some(
    (fact) =>
      fact.moment > moment &&
      (fact.kind === 'payment' ||
        (fact.kind === 'subscription' &&
          callsActive(fact) &&
          (subscriptionId === null || fact.subscriptionId === subscriptionId))),
  );
}
