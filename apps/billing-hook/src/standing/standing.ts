import type { WorkspaceStatus } from '@heliograph/tenancy';
import type { Fact } from './facts';
import { isNewer, newer, newestOf, type Moment } from './moment';
import { DEFAULT_PLAN, type Registers, type SubscriptionRegister } from './registers';
import { meaningOf } from './subscription-status';

export const FREE_PLAN = 'free';

/** What a workspace is entitled to. Null: billing has no opinion on it. */
export interface Standing {
  plan: string | null;
  status: WorkspaceStatus | null;
}

/** What an event made of it. */
export interface Change {
  before: Standing;
  after: Standing;
}

/**
 * Derives plan and status from what is known of the payer. A workspace has one payer, so whatever is told of any of its
 * subscriptions is news of the same thing, and the newest counts. A pause locks, and so does a dunning that came to its
 * end (`isDunned`), until what is owed is paid.
 */
export function deriveStanding(registers: Registers, isDunned: boolean): Standing {
  const current = currentOf(registers);
  const plan = current === null ? null : planOf(registers, current);
  const owes = registers.failures.length > 0;
  const isPaused = current !== null && !hasEnded(current) && hasPause(registers);
  if (isPaused || (isDunned && owes)) return { plan, status: 'locked' };
  return { plan, status: statusOf(registers, current) };
}

/** The subscription of the newest event that counts. */
function currentOf({ subscriptions }: Registers): SubscriptionRegister | null {
  const counting = subscriptions.filter(
    (each) => each.newest !== each.deleted || deletionOf(each, subscriptions) !== null,
  );
  return counting.reduce<SubscriptionRegister | null>(
    (newest, each) => (newest === null || isNewer(each.newest, newest.newest) ? each : newest),
    null,
  );
}

/**
 * Null also for the deletion of a subscription that was replaced: since the last that was told of it, another was
 * called active. One of which nothing else is known cannot have been.
 */
function deletionOf(subscription: SubscriptionRegister, all: SubscriptionRegister[]): Moment | null {
  const { told, deleted } = subscription;
  const isReplaced = told !== null && all.some((each) => each !== subscription && isNewer(each.activated, told));
  return isReplaced ? null : deleted;
}

function lastDeletion({ subscriptions }: Registers): Moment | null {
  return newestOf(subscriptions.map((each) => deletionOf(each, subscriptions)));
}

/** The newest that was named, if anything since the last deletion entitles to one: a pause or a debt alone do not. */
function planOf(registers: Registers, current: SubscriptionRegister): string | null {
  const { subscriptions } = registers;
  const deleted = lastDeletion(registers);
  const planned = newestOf(subscriptions.map((each) => each.planned));
  const activated = newestOf(subscriptions.map((each) => each.activated));
  if (hasEnded(current)) return FREE_PLAN;
  if (!isNewer(newer(planned, activated), deleted)) return deleted === null ? null : FREE_PLAN;
  return subscriptions.find((each) => planned !== null && each.planned === planned)?.plan ?? DEFAULT_PLAN;
}

/**
 * Whether a pause stands: until any subscription is called active again, or the standing ended. The deletion of the
 * paused one ends its own pause even where it counts for nothing else; a payment ends none.
 */
function hasPause(registers: Registers): boolean {
  const { subscriptions } = registers;
  const ended = newer(newestOf(subscriptions.map(({ resumed }) => resumed)), lastDeletion(registers));
  return subscriptions.some(({ paused, deleted }) => isNewer(paused, newer(ended, deleted)));
}

function statusOf({ paid, failures }: Registers, current: SubscriptionRegister | null): WorkspaceStatus | null {
  const failed = newestOf(failures.map(({ moment }) => moment));
  if (current === null) return failed === null ? null : 'past_due';
  if (hasEnded(current)) return isNewer(failed, current.newest) ? 'past_due' : 'canceled';
  if (failed !== null) return 'past_due';
  if (meaningOf(current.status) === 'past_due') return isNewer(paid, current.newest) ? 'active' : 'past_due';
  return 'active';
}

function hasEnded({ status }: SubscriptionRegister): boolean {
  return meaningOf(status) === 'canceled';
}

/**
 * Whether a fact that led to `after` can say something else than the workspace was told already: one of a subscription
 * that newer ones have overtaken does so only where the derivation is another for it.
 */
export function isNews(fact: Fact, registers: Registers, { before, after }: Change): boolean {
  if (fact.kind !== 'subscription' || fact.moment === currentOf(registers)?.newest) return true;
  return before.plan !== after.plan || before.status !== after.status;
}

/**
 * What to write to a workspace that stands as `actual`, after an event that took the derivation from `before` to
 * `after`. A payment says nothing about who owes nothing: it only ends what was for debts.
 */
export function changesTo(
  actual: { plan: string; status: WorkspaceStatus },
  { before, after }: Change,
  cause: 'subscription' | 'payment' | 'failure' | 'dunning',
): { plan?: string; status?: WorkspaceStatus } {
  const plan = cause === 'payment' ? null : after.plan;
  const status =
    cause === 'payment' ? statusOncePaid(actual.status, before, after) : statusOnceTold(actual.status, before, after);
  return {
    ...(plan !== null && plan !== actual.plan ? { plan } : {}),
    ...(status !== null && status !== actual.status ? { status } : {}),
  };
}

/** A lock by somebody else's hand yields to an active subscription, never to worse news. */
function statusOnceTold(actual: WorkspaceStatus, before: Standing, after: Standing): WorkspaceStatus | null {
  const isLockOfOthers = actual === 'locked' && before.status !== 'locked';
  return isLockOfOthers && after.status !== 'active' ? null : after.status;
}

function statusOncePaid(actual: WorkspaceStatus, before: Standing, after: Standing): WorkspaceStatus | null {
  const stoodForDebts = actual === 'past_due' || (actual === 'locked' && before.status === 'locked');
  return stoodForDebts ? (after.status ?? 'active') : null;
}
