import type { IncomingMessage, ServerResponse } from 'node:http';

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
  'Access-Control-Allow-Headers': 'authorization, content-type, idempotency-key, last-event-id, x-request-id',
  // Two hours is the most that any browser keeps.
  'Access-Control-Max-Age': '7200',
} as const;
const EXPOSED = [
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-Request-Id',
  'Idempotent-Replayed',
].join(', ');

/** As `allowAnyOrigin`, for what anybody may keep: script and configuration. */
export function allowAnyReader(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  if (request.method === 'OPTIONS')
    response.writeHead(204, { ...PREFLIGHT, 'Access-Control-Allow-Methods': 'GET, OPTIONS' }).end();
  else next();
}

/**
 * Any site may call the chat: what a call may do hangs on the token that it carries, and browsers add none. Answers
 * preflights, and lets nobody keep what a conversation says.
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
