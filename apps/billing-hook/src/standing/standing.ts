import type { WorkspaceStatus } from '@heliograph/tenancy';
import { isNewer, type Moment } from './moment';
import type { Registers, SubscriptionRegister } from './registers';
import { meaningOf } from './subscription-status';

export const FREE_PLAN = 'free';

/** What a workspace is entitled to. Null: billing has no opinion on it. */
export interface Standing {
  plan: string | null;
  status: WorkspaceStatus | null;
}

/**
 * Derives plan and status from what is known of the payer. The subscription that counts is the newest that has not
 * ended. A pause locks, and so does a dunning that came to its end (`isDunned`), until what is owed is paid.
 */
export function deriveStanding(registers: Registers, isDunned: boolean): Standing {
  const live = registers.subscriptions.filter((each) => !hasEnded(each));
  const current = newestOf(live) ?? newestOf(registers.subscriptions);
  const entitling = newestOf(live.filter(isEntitling));
  const plan = entitling?.plan ?? (registers.subscriptions.some(hasEnded) ? FREE_PLAN : null);
  const owes = registers.failures.length > 0;
  if (live.some(isPaused) || (isDunned && owes)) return { plan, status: 'locked' };
  return { plan, status: statusOf(registers, current) };
}

function statusOf({ paid, failures }: Registers, current: SubscriptionRegister | null): WorkspaceStatus | null {
  const failed = failures.map(({ moment }) => moment).reduce<Moment | null>((a, b) => (isNewer(b, a) ? b : a), null);
  if (current === null) return failed === null ? null : 'past_due';
  const said = meaningOf(current.status);
  if (hasEnded(current)) return isNewer(failed, current.newest) ? 'past_due' : 'canceled';
  if (failed !== null) return 'past_due';
  if (said === 'past_due') return isNewer(paid, current.newest) ? 'active' : 'past_due';
  return 'active';
}

/** Until the processor itself calls it active again: a payment alone does not lift a pause. */
function isPaused({ paused, resumed }: SubscriptionRegister): boolean {
  return isNewer(paused, resumed);
}

/** Whether it says anything about the plan: news of a pause or a debt alone give nobody one. */
function isEntitling({ planned, activated, resumed }: SubscriptionRegister): boolean {
  return (planned ?? activated ?? resumed) !== null;
}

function hasEnded({ status }: SubscriptionRegister): boolean {
  return meaningOf(status) === 'canceled';
}

function newestOf(subscriptions: SubscriptionRegister[]): SubscriptionRegister | null {
  return subscriptions.reduce<SubscriptionRegister | null>(
    (newest, each) => (newest === null || each.newest > newest.newest ? each : newest),
    null,
  );
}

/**
 * What to write to a workspace that stands as `actual`, after an event that took the derivation from `before` to
 * `after`. A payment says nothing about who owes nothing: it only ends what was for debts.
 */
export function changesTo(
  actual: { plan: string; status: WorkspaceStatus },
  { before, after }: { before: Standing; after: Standing },
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
