import type { AppError } from '@heliograph/errors';

/**
 * Replaces a body or a query string that cannot be read or parsed. The validation pipe throws its error. That happens after all
 * guards, whose refusals come first. A call whose input was read and rejected is stored under its Idempotency-Key like any other.
 */
export class MalformedInput {
  constructor(
    readonly error: AppError,
    /** The bytes of the body or the query string, used to compare repeated calls; null if they could not be read. */
    readonly source: Uint8Array | null,
  ) {}
}
