import { AppError } from '@heliograph/errors';

/** Maximum credits of one entry. */
export const MAX_AMOUNT = 1_000_000_000_000;
/** Maximum balance of an account; below 2^53, so that it is exact as a number. */
export const MAX_BALANCE = 9_000_000_000_000_000;

/**
 * Throws VALIDATION_ERROR unless the value is an integer other than 0, within the limit of one entry in either
 * direction.
 */
export function assertAmount(amount: number): void {
  if (Number.isInteger(amount) && amount !== 0 && Math.abs(amount) <= MAX_AMOUNT) return;
  throw new AppError(
    'VALIDATION_ERROR',
    `amount: must be an integer other than 0, from -${MAX_AMOUNT} to ${MAX_AMOUNT}.`,
  );
}

/** Like `checkAmount`, and the value must be greater than 0. */
export function assertPositiveAmount(amount: number): void {
  assertAmount(amount);
  if (amount < 0) throw new AppError('VALIDATION_ERROR', 'amount: must be greater than 0.');
}
