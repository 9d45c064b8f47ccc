import type { AppError } from '@heliograph/errors';

/**
 * Replaces a body or a query string that cannot be parsed. The validation pipe throws its error. That happens after the
 * interceptors, so that a rejected call is stored under its Idempotency-Key like any other.
 */
export class MalformedInput {
  constructor(
    readonly error: AppError,
    /** The bytes of the body or the query string, used to compare repeated calls. */
    readonly source: Uint8Array,
  ) {}

  get isEmpty(): boolean {
    return this.source.length === 0;
  }
}
