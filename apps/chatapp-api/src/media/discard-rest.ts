import type { IncomingMessage } from 'node:http';

const LINGER_MS = 2_000;

/**
 * Discards the rest of a request body for a short time, because a client that is still writing might not read the
 * answer if the connection closed at once. Closes the connection afterwards.
 */
export function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  request.resume();
  const timer = setTimeout(() => {
    if (!request.complete) request.destroy();
  }, LINGER_MS);
  timer.unref();
  request.once('end', () => clearTimeout(timer));
}
