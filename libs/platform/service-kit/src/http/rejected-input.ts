import type { AppError } from '@heliograph/errors';

type OnRejection = (error: AppError) => Promise<void>;

const callbacks = new WeakMap<object, OnRejection>();

/**
 * Registers a callback that the validation pipe calls before it rejects a body or a query string. If the callback throws, its error
 * is sent instead of the validation error.
 * @param input the body or the query string of a request, before validation
 */
export function beforeRejection(input: object, callback: OnRejection): void {
  callbacks.set(input, callback);
}

/** Calls the callback of `beforeRejection`, if there is one, and throws the validation error of the input. */
export function rejectInput(input: object, error: AppError): Promise<never> {
  const callback = callbacks.get(input);
  if (!callback) throw error;
  return callback(error).then(() => Promise.reject(error));
}
