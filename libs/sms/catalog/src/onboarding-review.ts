import { AppError } from '@heliograph/errors';
import type { Onboarding, OnboardingStatus } from './onboarding.entity';

/** State of an onboarding: submitted by its organization, decided by the operator. */
export type Review = Pick<Onboarding, 'status' | 'submittedAt' | 'decidedAt' | 'rejectionReason'>;

export function submitted(now: Date): Review {
  return { status: 'pending', submittedAt: now, decidedAt: null, rejectionReason: null };
}

/** Throws STATE_CONFLICT unless it was rejected. */
export function resubmitted({ status }: Review, now: Date): Review {
  if (status === 'rejected') return submitted(now);
  throw conflict(status, 'Only a rejected onboarding can be submitted again.');
}

/** Throws STATE_CONFLICT unless it is pending. */
export function approved({ status, submittedAt }: Review, now: Date): Review {
  if (status === 'pending') return { status: 'approved', submittedAt, decidedAt: now, rejectionReason: null };
  throw conflict(status, 'Its organization must submit it again before a new decision.');
}

/** Also withdraws an approval. Throws STATE_CONFLICT if it is already rejected. */
export function rejected({ status, submittedAt }: Review, rejectionReason: string, now: Date): Review {
  if (status !== 'rejected') return { status: 'rejected', submittedAt, decidedAt: now, rejectionReason };
  throw conflict(status, 'Its organization must submit it again before a new decision.');
}

/** Sets the status directly, for provisioning. If the status does not change, the review is unchanged. */
export function declared(status: OnboardingStatus, existing: Review | null, now: Date): Partial<Review> {
  if (existing?.status === status) return {};
  if (status === 'pending') return submitted(now);
  return { status, submittedAt: existing?.submittedAt ?? now, decidedAt: now, rejectionReason: null };
}

function conflict(status: OnboardingStatus, next: string): AppError {
  return new AppError('STATE_CONFLICT', `The onboarding is ${status}. ${next}`);
}
