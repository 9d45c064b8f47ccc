import type { ErrorShape } from '../routes';

/** An error body in the shape of the service that the path belongs to. */
export function errorBody(shape: ErrorShape, code: string, message: string): string {
  switch (shape) {
    case 'messaging':
      return JSON.stringify({ code, message });
    case 'runtime':
      return JSON.stringify({ ok: false, code, message });
    case 'account':
      return JSON.stringify({ ok: false, error: { code, message } });
    case 'soap':
      // The messages of the gateway contain no characters that XML reserves.
      return `<SmsResponse xmlns="urn:heliograph:sms:1"><ok>false</ok><error><code>${code}</code><message>${message}</message></error></SmsResponse>`;
  }
}

export function errorTypeOf(shape: ErrorShape): string {
  return shape === 'soap' ? 'application/xml' : 'application/json';
}

export const NOT_FOUND_MESSAGE = 'This path does not exist. The documentation lists all paths.';
export const UNAVAILABLE_MESSAGE = 'The service does not respond at the moment. Try again in a few seconds.';
export const TOO_LARGE_MESSAGE = 'The body is too large. The documentation of the endpoint states the limit.';
export const UNREADABLE_MESSAGE = 'This is not a valid HTTP/1.1 request. Check the request line and the headers.';
export const METHOD_MESSAGE = 'This method is not supported. The documentation lists the methods of each path.';
export const ERROR_MESSAGE =
  'The gateway failed to process the request. Try again; report the request id if it fails again.';
export const RETRY_AFTER_SECONDS = 5;
/** A request id of a caller that is safe to repeat in headers and logs. */
export const SANE_REQUEST_ID = /^[\w.:@/+=-]{1,128}$/;
