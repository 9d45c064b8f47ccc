import type { IncomingMessage } from 'node:http';

const LINGER_MS = 2_000;

/**
 * What is left of a body that is not wanted any more goes by unread for a moment, because a client that still writes
 * might not see the answer before a cut connection; then the connection is cut.
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
