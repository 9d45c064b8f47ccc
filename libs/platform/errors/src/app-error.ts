import { ERROR_STATUS, type ErrorCode } from './error-codes';

/** An error that is returned to the caller: a code from the table of codes, and a message that says what to do. */
export class AppError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Additional fields of the error body, in the shapes that support them. */
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

/** 503: a dependency is unavailable. `what` names it in the log; the caller does not see it. */
export function serviceUnavailable(what: string, cause?: unknown, retryAfterSeconds = 2): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'The service cannot take the request right now. Try again shortly.', {
    retryAfterSeconds,
    cause: cause ?? what,
  });
}

/** 404 for an id of the request. `kind`: name of the object, such as `email sender`. */
export function notFound(kind: string): AppError {
  return new AppError('NOT_FOUND', `${kind.charAt(0).toUpperCase()}${kind.slice(1)} not found. Check the id.`);
}
