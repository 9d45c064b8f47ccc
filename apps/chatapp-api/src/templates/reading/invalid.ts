import { AppError } from '@heliograph/errors';

/** Creates the error for an invalid field. `what` is the path of the field, `must` the rest of the sentence, such as `must be a list`. */
export function invalid(what: string, must: string): AppError {
  return new AppError('INVALID_REQUEST', `${what} ${must}.`);
}
