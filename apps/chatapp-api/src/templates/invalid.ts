import { AppError } from '@heliograph/errors';

/** `what` is the path of the field in the body; `must` completes the sentence about it. */
export function invalid(what: string, must: string): AppError {
  return new AppError('INVALID_REQUEST', `${what} ${must}.`);
}
