import { AppError } from '@heliograph/errors';

/** Credits that one entry may move. */
export const MAX_AMOUNT = 1_000_000_000_000;
/** Credits that an account may hold: below 2^53, so that a balance is exact as a number too. */
export const MAX_BALANCE = 9_000_000_000_000_000;

/** Throws VALIDATION_ERROR unless it is an integer other than zero, and no more than an entry may move either way. */
export function assertAmount(amount: number): void {
  if (Number.isInteger(amount) && amount !== 0 && Math.abs(amount) <= MAX_AMOUNT) return;
  throw new AppError('VALIDATION_ERROR', `amount: give a whole number of credits other than 0, at most ${MAX_AMOUNT}.`);
}

/** The same, and above zero. */
export function assertPositiveAmount(amount: number): void {
  assertAmount(amount);
  if (amount < 0) throw new AppError('VALIDATION_ERROR', 'amount: give a number of credits above 0.');
}
