import { refundedCredits } from './refunded-credits';

describe('the credits of a refund', () => {
  it.each([
    [1_000, 20_000, 20_000, 1_000],
    [1_000, 20_000, 30_000, 1_000],
    [1_000, 20_000, 10_000, 500],
    [1_000, 3, 1, 333],
    [10, 20_000, 1, 0],
    [1_000_000_000_000, 999_999_999_999, 999_999_999_998, 999_999_999_998],
    [5, 0, 0, 5],
  ])('of %i credits for %i, after a refund of %i, are %i', (credits, amount, refunded, expected) => {
    expect(refundedCredits(credits, amount, refunded)).toBe(expected);
  });
});
