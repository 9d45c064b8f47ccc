import { approved, declared, rejected, resubmitted, submitted, type Review } from './onboarding-review';
import { ONBOARDING_STATUSES } from './onboarding.entity';

const before = new Date('2026-01-01T00:00:00Z');
const now = new Date('2026-01-02T00:00:00Z');
const pending = submitted(before);
const reviews: Record<string, Review> = {
  pending,
  approved: approved(pending, before),
  rejected: rejected(pending, 'The entity id is not registered.', before),
};
const conflict = expect.objectContaining({ code: 'STATE_CONFLICT' });

describe('the review of an onboarding', () => {
  it('approves only a pending onboarding', () => {
    const review = { status: 'approved', submittedAt: before, decidedAt: now, rejectionReason: null };
    expect(approved(pending, now)).toEqual(review);
    expect(() => approved(reviews['approved']!, now)).toThrow(conflict);
    expect(() => approved(reviews['rejected']!, now)).toThrow(conflict);
  });

  it.each(['pending', 'approved'])('rejects an onboarding that is %s', (status) => {
    const review = { status: 'rejected', submittedAt: before, decidedAt: now, rejectionReason: 'No.' };
    expect(rejected(reviews[status]!, 'No.', now)).toEqual(review);
  });

  it('does not reject an onboarding twice', () => {
    expect(() => rejected(reviews['rejected']!, 'No.', now)).toThrow(conflict);
  });

  it('resubmits only a rejected onboarding, and clears the decision', () => {
    const review = { status: 'pending', submittedAt: now, decidedAt: null, rejectionReason: null };
    expect(resubmitted(reviews['rejected']!, now)).toEqual(review);
    expect(() => resubmitted(pending, now)).toThrow(conflict);
    expect(() => resubmitted(reviews['approved']!, now)).toThrow(conflict);
  });

  it.each(ONBOARDING_STATUSES)('does not change an onboarding that is already %s', (status) => {
    expect(declared(status, reviews[status]!, now)).toEqual({});
  });

  it('stores the current time as the time of the decision', () => {
    expect(declared('approved', null, now)).toEqual(approved(submitted(now), now));
    expect(declared('approved', reviews['rejected']!, now)).toEqual(approved(pending, now));
    expect(declared('pending', reviews['rejected']!, now)).toEqual(submitted(now));
  });
});
