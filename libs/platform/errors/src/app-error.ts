import { ERROR_STATUS, type ErrorCode } from './error-codes';

/** A refusal that a caller may see: a code of the table and a sentence that says what to do next. */
export class AppError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** What the body says beside code and message, in the shapes that have room for it. */
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: {
      retryAfterSeconds?: number;
      headers?: Record<string, string>;
      details?: Record<string, unknown>;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.status = ERROR_STATUS[code];
    this.details = options.details;
    this.headers = {
      ...options.headers,
      ...(options.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(options.retryAfterSeconds) }),
    };
  }
}

/** 503: something this service stands on is away. `what` names it for the log, not for the caller. */
export function serviceUnavailable(what: string, cause?: unknown, retryAfterSeconds = 2): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'The service cannot take the request right now. Try again shortly.', {
    retryAfterSeconds,
    cause: cause ?? what,
  });
}
