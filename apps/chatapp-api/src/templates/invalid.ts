import { AppError } from '@heliograph/errors';

/** `what` names the field as it stands in the body; `must` says what it has to be. */
export function invalid(what: string, must: string): AppError {
  return new AppError('INVALID_REQUEST', `${what} ${must}.`);
}
