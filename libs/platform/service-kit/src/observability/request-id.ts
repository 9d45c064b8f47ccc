import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const VALID_ID = /^[\w.:@/+=-]{1,128}$/;

/** The id of the caller if it is valid, otherwise a new one. */
export function newRequestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && VALID_ID.test(given) ? given : randomUUID();
}

/** The request id of a response, for events and log entries of the call. */
export function requestIdOf(response: ServerResponse): string {
  return String(response.getHeader('X-Request-Id'));
}
