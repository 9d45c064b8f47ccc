import type { WorkspaceStatus } from '@heliograph/tenancy';
import type { NormalizedEvent } from './normalized-event';
import { isCreatedLater, isNewer, newer, newestOf, type EventTimestamp } from './event-timestamp';
import { DEFAULT_PLAN, type PayerAggregate, type SubscriptionAggregate } from './payer-aggregate';
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
 * Derives plan and status from the aggregate of a payer. All subscriptions of a payer concern the same workspace, so
 * the newest event of all subscriptions counts. A pause locks the workspace. A completed dunning (`isDunned`) locks it
 * until the debt is paid.
 */
export function deriveSubscriptionState(aggregate: PayerAggregate, isDunned: boolean): SubscriptionState {
  const current = currentSubscription(aggregate);
  const plan = current === null ? null : planOf(aggregate, current);
  const owes = aggregate.failures.length > 0;
  const isPaused = current !== null && !hasEnded(current) && hasPause(aggregate);
  if (isPaused || (isDunned && owes)) return { plan, status: 'locked' };
  return { plan, status: statusOf(aggregate, current) };
}

/** The subscription of the newest event that counts. */
function currentSubscription(aggregate: PayerAggregate): SubscriptionAggregate | null {
  return relevantSubscriptions(aggregate).reduce<SubscriptionAggregate | null>(
    (newest, each) => (newest === null || isNewer(each.newest, newest.newest) ? each : newest),
    null,
  );
}

/** Excludes subscriptions that were replaced and have ended: neither their end nor their earlier events count. */
function relevantSubscriptions(aggregate: PayerAggregate): SubscriptionAggregate[] {
  return aggregate.subscriptions.filter((each) => !hasEnded(each) || !isReplaced(each, aggregate));
}

/** Whether another subscription started later and has not ended. */
function isReplaced({ began }: SubscriptionAggregate, { subscriptions }: PayerAggregate): boolean {
  return subscriptions.some((each) => !hasEnded(each) && isCreatedLater(each.began, began));
}

/** Considers only subscriptions that were not replaced. */
function lastDeletion(aggregate: PayerAggregate): EventTimestamp | null {
  const last = aggregate.subscriptions.filter((each) => !isReplaced(each, aggregate));
  return newestOf(last.map(({ deleted }) => deleted));
}

/**
 * Returns the newest plan in an event, if an event since the last deletion grants a plan. A pause or a debt alone does
 * not grant a plan.
 */
function planOf(aggregate: PayerAggregate, current: SubscriptionAggregate): string | null {
  if (hasEnded(current)) return FREE_PLAN;
  const counting = relevantSubscriptions(aggregate);
  const planned = newestOf(counting.map((each) => each.planned));
  const activated = newestOf(counting.map((each) => each.activated));
  if (!isNewer(newer(planned, activated), lastDeletion(aggregate)))
    return hadSubscription(aggregate) ? FREE_PLAN : null;
  return counting.find((each) => planned !== null && each.planned === planned)?.plan ?? DEFAULT_PLAN;
}

/** Whether a subscription that may have granted a plan has ended. */
function hadSubscription(aggregate: PayerAggregate): boolean {
  const { subscriptions } = aggregate;
  return (
    subscriptions.some(({ deleted }) => deleted !== null) ||
    relevantSubscriptions(aggregate).length < subscriptions.length
  );
}

/**
 * Whether a pause is in effect. It ends when any subscription becomes active or when the entitlement ends. The end of
 * the paused subscription ends its pause, even if the event has no other effect; payments do not end a pause.
 */
function hasPause(aggregate: PayerAggregate): boolean {
  const resumed = newestOf(aggregate.subscriptions.map((each) => each.resumed));
  const ended = newer(resumed, lastDeletion(aggregate));
  return relevantSubscriptions(aggregate).some(({ paused, deleted }) => isNewer(paused, newer(ended, deleted)));
}

function statusOf({ paid, failures }: PayerAggregate, current: SubscriptionAggregate | null): WorkspaceStatus | null {
  const failed = newestOf(failures.map(({ timestamp }) => timestamp));
  if (current === null) return failed === null ? null : 'past_due';
  if (hasEnded(current)) return isNewer(failed, current.newest) ? 'past_due' : 'canceled';
  if (failed !== null) return 'past_due';
  if (meaningOf(current.status) === 'past_due') return isNewer(paid, current.newest) ? 'active' : 'past_due';
  return 'active';
}

function hasEnded({ status }: SubscriptionAggregate): boolean {
  return meaningOf(status) === 'canceled';
}

/**
 * Whether an event that led to `after` can change the workspace. An event of a replaced subscription can do so only
 * if it changes the derived state.
 */
export function affectsWorkspace(
  event: NormalizedEvent,
  aggregate: PayerAggregate,
  { before, after }: StateChange,
): boolean {
  if (event.kind !== 'subscription' || event.timestamp === currentSubscription(aggregate)?.newest) return true;
  return before.plan !== after.plan || before.status !== after.status;
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
