import type { IncomingMessage, ServerResponse } from 'node:http';

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
  'Access-Control-Allow-Headers': 'authorization, content-type, idempotency-key, last-event-id, x-request-id',
  // Two hours is the maximum that browsers accept.
  'Access-Control-Max-Age': '7200',
} as const;
const EXPOSED = [
  'Link',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-Request-Id',
  'Idempotent-Replayed',
].join(', ');

/** Headers that allow every site to load a response, including sites with cross-origin isolation (COEP). */
export const FOR_ANY_SITE = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const;

/** Like `allowAnyOrigin`, for public cacheable content: the script and the configuration. */
export function allowAnyReader(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  if (request.method === 'OPTIONS')
    response.writeHead(204, { ...PREFLIGHT, 'Access-Control-Allow-Methods': 'GET, OPTIONS' }).end();
  else next();
}

/**
 * Allows requests from every site. The token in the request authorizes it, and browsers add no credentials. Responds to
 * preflight requests and disables caching of conversations.
 */
export function allowAnyOrigin(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  if (request.method === 'OPTIONS') {
    response.writeHead(204, PREFLIGHT).end();
    return;
  }
  response.setHeader('Access-Control-Expose-Headers', EXPOSED);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  next();
}
