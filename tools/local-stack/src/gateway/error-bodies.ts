import type { ErrorShape } from '../routes';

/** An error body in the words of the service that the caller meant to reach. */
export function errorBody(shape: ErrorShape, code: string, message: string): string {
  switch (shape) {
    case 'messaging':
      return JSON.stringify({ code, message });
    case 'runtime':
      return JSON.stringify({ ok: false, code, message });
    case 'account':
      return JSON.stringify({ ok: false, error: { code, message } });
  }
}

export const NOT_FOUND_MESSAGE = 'There is nothing at this path. The documentation lists the paths there are.';
export const UNAVAILABLE_MESSAGE = 'The service does not answer at the moment. Try again in a few seconds.';
export const TOO_LARGE_MESSAGE = 'The body is too large. The documentation of the endpoint names the limit.';
export const UNREADABLE_MESSAGE = 'This is not a valid HTTP/1.1 request. Check its first lines.';
export const RETRY_AFTER_SECONDS = 5;
/** A caller's request id that may be repeated in headers and logs as it is. */
export const SANE_REQUEST_ID = /^[\w.:@/+=-]{1,128}$/;
