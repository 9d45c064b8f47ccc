import type { WorkspaceStatus } from '@heliograph/tenancy';
import type { NormalizedEvent } from './normalized-event';
import { isCreatedLater, isNewer, newer, newestOf } from './event-timestamp';
import {
  DEFAULT_PLAN,
  isPaidSince,
  openFailures,
  type PayerAggregate,
  type SubscriptionAggregate,
} from './payer-aggregate';
import { meaningOf } from './subscription-status';

export const FREE_PLAN = 'free';

/** Plan and status that a workspace is entitled to. A value is null if billing does not determine it. */
export interface SubscriptionState {
  plan: string | null;
  status: WorkspaceStatus | null;
}

/** Result of applying an event. */
export interface StateChange {
  before: SubscriptionState;
  after: SubscriptionState;
}

/**
 * Derives plan and status from the aggregate of a payer. All subscriptions of a payer concern the same workspace, and
 * any active one keeps its plan. A pause locks the workspace. A completed dunning (`isDunned`) locks it until the debt
 * is paid.
 */
export function deriveSubscriptionState(aggregate: PayerAggregate, isDunned: boolean): SubscriptionState {
  const plan = planOf(aggregate);
  const owes = openFailures(aggregate).length > 0;
  if (hasPause(aggregate) || (isDunned && owes)) return { plan, status: 'locked' };
  return { plan, status: statusOf(aggregate) };
}

/**
 * The subscriptions that determine the state: those that run, otherwise those that have ended. A subscription that
 * waits for its first payment has no effect.
 */
function relevantSubscriptions({ subscriptions }: PayerAggregate): SubscriptionAggregate[] {
  const running = subscriptions.filter(isRunning);
  return running.length > 0 ? running : subscriptions.filter(hasEnded);
}

/** Returns the plan of the running subscription that started last, preferring active ones. */
function planOf({ subscriptions }: PayerAggregate): string | null {
  const entitled = subscriptions.filter((each) => isRunning(each) && isEntitled(each));
  const active = entitled.filter(isActive);
  const candidates = active.length > 0 ? active : entitled;
  const [last] = candidates.filter(({ planned }) => planned !== null).sort(byStart);
  if (last) return last.plan;
  if (candidates.length > 0) return DEFAULT_PLAN;
  return subscriptions.some(hadPlan) ? FREE_PLAN : null;
}

/** Sorts by start, newest first; among starts of the same second, by the newest event with a plan. */
function byStart(one: SubscriptionAggregate, other: SubscriptionAggregate): number {
  if (isCreatedLater(one.began, other.began)) return -1;
  if (isCreatedLater(other.began, one.began)) return 1;
  return isNewer(one.planned, other.planned) ? -1 : 1;
}

/**
 * Whether a subscription has a plan: since its last deletion, an event reported it as paid or tried, and an event named
 * the plan or reported it as active.
 */
function isEntitled({ granted, planned, activated, deleted }: SubscriptionAggregate): boolean {
  return isNewer(granted, deleted) && isNewer(newer(planned, activated), deleted);
}

/** Whether a subscription that may have granted a plan has ended. */
function hadPlan(subscription: SubscriptionAggregate): boolean {
  const { status, deleted, granted } = subscription;
  if (deleted !== null || status === 'canceled') return true;
  return hasEnded(subscription) && granted !== null;
}

/**
 * Whether a pause locks the workspace: the subscription was paused after it was last resumed or deleted, and no other
 * active subscription started before the pause or was resumed after it. Payments do not end a pause.
 */
function hasPause({ subscriptions }: PayerAggregate): boolean {
  const active = subscriptions.filter(isActive);
  return subscriptions.some(
    (each) =>
      isRunning(each) &&
      isNewer(each.paused, newer(each.resumed, each.deleted)) &&
      !active.some(
        (other) => other !== each && (isNewer(each.paused, other.began) || isNewer(other.resumed, each.paused)),
      ),
  );
}

function statusOf(aggregate: PayerAggregate): WorkspaceStatus | null {
  const failed = newestOf(openFailures(aggregate).map(({ timestamp }) => timestamp));
  const relevant = relevantSubscriptions(aggregate);
  const running = relevant.filter(isRunning);
  if (relevant.length === 0) return failed === null ? null : 'past_due';
  if (running.length === 0) {
    const ended = newestOf(relevant.map(({ newest }) => newest));
    return isNewer(failed, ended) ? 'past_due' : 'canceled';
  }
  if (failed !== null) return 'past_due';
  if (running.some(isActive)) return 'active';
  const owes = running.some((each) => meaningOf(each.status) === 'past_due' && !isPaidSince(each, aggregate));
  return owes ? 'past_due' : 'active';
}

function hasEnded({ status }: SubscriptionAggregate): boolean {
  return meaningOf(status) === 'canceled';
}

function isActive({ status }: SubscriptionAggregate): boolean {
  return meaningOf(status) === 'active';
}

/** Whether a subscription has not ended and does not wait for its first payment. */
function isRunning(subscription: SubscriptionAggregate): boolean {
  const { status, granted } = subscription;
  const isPending = status === 'incomplete' && granted === null;
  return !hasEnded(subscription) && !isPending;
}

/**
 * Whether an event that led to `after` can change the workspace. An event that is older than others, one of a
 * subscription that has no effect, and a payment of zero can do so only if they change the derived state.
 */
export function affectsWorkspace(
  event: NormalizedEvent,
  aggregate: PayerAggregate,
  { before, after }: StateChange,
): boolean {
  if (before.plan !== after.plan || before.status !== after.status) return true;
  switch (event.kind) {
    case 'failure':
      return true;
    case 'payment':
      return !event.isZero;
    case 'subscription':
      return event.timestamp === newestOf(relevantSubscriptions(aggregate).map(({ newest }) => newest));
  }
}

/**
 * Computes the changes of a workspace in state `actual` after an event that changed the derived state from `before`
 * to `after`. A payment changes nothing for a payer without debts; it only ends locks for debts.
 */
export function workspaceChanges(
  actual: { plan: string; status: WorkspaceStatus },
  { before, after }: StateChange,
  cause: 'subscription' | 'payment' | 'failure' | 'dunning',
): { plan?: string; status?: WorkspaceStatus } {
  const plan = cause === 'payment' ? null : after.plan;
  const status =
    cause === 'payment'
      ? statusAfterPayment(actual.status, before, after)
      : statusAfterEvent(actual.status, before, after);
  return {
    ...(plan !== null && plan !== actual.plan ? { plan } : {}),
    ...(status !== null && status !== actual.status ? { status } : {}),
  };
}

/** A lock set by the operator is released by an active subscription, and never overwritten by a worse status. */
function statusAfterEvent(
  actual: WorkspaceStatus,
  before: SubscriptionState,
  after: SubscriptionState,
): WorkspaceStatus | null {
  const isLockOfOthers = actual === 'locked' && before.status !== 'locked';
  return isLockOfOthers && after.status !== 'active' ? null : after.status;
}

function statusAfterPayment(
  actual: WorkspaceStatus,
  before: SubscriptionState,
  after: SubscriptionState,
): WorkspaceStatus | null {
  const hadDebtStatus = actual === 'past_due' || (actual === 'locked' && before.status === 'locked');
  return hadDebtStatus ? (after.status ?? 'active') : null;
}
