import type { WorkspaceStatus } from '@heliograph/tenancy';

/** Maps the subscription status of the processor to the workspace status. Pauses have a separate event type. */
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

/**
 * Statuses of a subscription that was paid for or tried at least once. `incomplete` waits for its first payment, and
 * `unpaid` and the final statuses end what was granted before: https://docs.stripe.com/billing/subscriptions/overview
 */
const GRANTING: readonly SubscriptionStatus[] = ['active', 'trialing', 'past_due', 'paused'];

export function grantsPlan(status: SubscriptionStatus): boolean {
  return GRANTING.includes(status);
}
