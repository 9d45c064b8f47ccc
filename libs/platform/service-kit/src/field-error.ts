export type FieldErrorReason = 'MALFORMED' | 'REPEATED' | 'TOO_MANY_FIELDS';

/** The request as a whole cannot be parsed; 400 in every style. The message tells the caller what to change. */
export class FieldError extends Error {
  constructor(
    readonly reason: FieldErrorReason,
    message: string,
  ) {
    super(message);
    this.name = 'FieldError';
  }
}
