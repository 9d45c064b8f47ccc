import type { WorkspaceStatus } from '@heliograph/tenancy';

/** What the processor's words for a subscription mean for its workspace. A pause is told by an event of its own. */
const MEANINGS = {
  active: 'active',
  trialing: 'active',
  past_due: 'past_due',
  unpaid: 'past_due',
  incomplete: 'past_due',
  canceled: 'canceled',
  incomplete_expired: 'canceled',
  paused: 'locked',
} as const satisfies Record<string, WorkspaceStatus>;

export type SubscriptionStatus = keyof typeof MEANINGS;

export function isSubscriptionStatus(value: unknown): value is SubscriptionStatus {
  return typeof value === 'string' && Object.hasOwn(MEANINGS, value);
}

export function meaningOf(status: SubscriptionStatus): WorkspaceStatus {
  return MEANINGS[status];
}
