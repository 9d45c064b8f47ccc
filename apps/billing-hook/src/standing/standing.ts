import type { WorkspaceStatus } from '@heliograph/tenancy';
import type { Fact } from './facts';
import { isMadeLater, isNewer, newer, newestOf, type Moment } from './moment';
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
function currentOf(registers: Registers): SubscriptionRegister | null {
  return countingOf(registers).reduce<SubscriptionRegister | null>(
    (newest, each) => (newest === null || isNewer(each.newest, newest.newest) ? each : newest),
    null,
  );
}

/** Without those that were replaced and have ended: neither their end is news, nor what was told of them before. */
function countingOf(registers: Registers): SubscriptionRegister[] {
  return registers.subscriptions.filter((each) => !hasEnded(each) || !isReplaced(each, registers));
}

/** Whether another began later that has not ended. */
function isReplaced({ began }: SubscriptionRegister, { subscriptions }: Registers): boolean {
  return subscriptions.some((each) => !hasEnded(each) && isMadeLater(each.began, began));
}

/** Of those that were not replaced. */
function lastDeletion(registers: Registers): Moment | null {
  const last = registers.subscriptions.filter((each) => !isReplaced(each, registers));
  return newestOf(last.map(({ deleted }) => deleted));
}

/** The newest that was named, if anything since the last deletion entitles to one: a pause or a debt alone do not. */
function planOf(registers: Registers, current: SubscriptionRegister): string | null {
  if (hasEnded(current)) return FREE_PLAN;
  const counting = countingOf(registers);
  const planned = newestOf(counting.map((each) => each.planned));
  const activated = newestOf(counting.map((each) => each.activated));
  if (!isNewer(newer(planned, activated), lastDeletion(registers))) return hadOne(registers) ? FREE_PLAN : null;
  return counting.find((each) => planned !== null && each.planned === planned)?.plan ?? DEFAULT_PLAN;
}

/** Whether a subscription ended that may have entitled to a plan. */
function hadOne(registers: Registers): boolean {
  const { subscriptions } = registers;
  return subscriptions.some(({ deleted }) => deleted !== null) || countingOf(registers).length < subscriptions.length;
}

/**
 * Whether a pause stands: until any subscription is called active again, or the standing ended. The end of the paused
 * one ends its own pause even where it counts for nothing else; a payment ends none.
 */
function hasPause(registers: Registers): boolean {
  const resumed = newestOf(registers.subscriptions.map((each) => each.resumed));
  const ended = newer(resumed, lastDeletion(registers));
  return countingOf(registers).some(({ paused, deleted }) => isNewer(paused, newer(ended, deleted)));
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
