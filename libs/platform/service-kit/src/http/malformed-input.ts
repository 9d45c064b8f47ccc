import type { AppError } from '@heliograph/errors';

/**
 * Takes the place of a body or a query string that cannot be read. The validation pipe throws its error. That is later
 * than the interceptors, so that a refused call is stored under its Idempotency-Key like any other.
 */
export class MalformedInput {
  constructor(
    readonly error: AppError,
    /** The bytes of the body or the query string, to compare repeated calls. */
    readonly source: Uint8Array,
  ) {}

  get isEmpty(): boolean {
    return this.source.length === 0;
  }
}
