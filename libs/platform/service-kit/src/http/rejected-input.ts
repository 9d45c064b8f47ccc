import type { AppError } from '@heliograph/errors';

type OnRejection = (error: AppError) => Promise<void>;

const listeners = new WeakMap<object, OnRejection>();

/**
 * Adds a step between the rejection of a body or a query string and the response. The step may throw another error.
 * @param input the body or the query string of a request, before validation
 */
export function beforeRejection(input: object, step: OnRejection): void {
  listeners.set(input, step);
}

/** Throws the error of an input, after the step of `beforeRejection`. */
export function rejectInput(input: object, error: AppError): Promise<never> {
  const step = listeners.get(input);
  if (!step) throw error;
  return step(error).then(() => Promise.reject(error));
}
