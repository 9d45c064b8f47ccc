import type { IncomingMessage, ServerResponse } from 'node:http';

/** The connection is closed if no data arrives for this time. */
const IDLE_MS = 5_000;
/** The connection is closed after this time, even if data still arrives. */
const MAX_LINGER_MS = 30_000;

/**
 * Discards the part of the request body that nobody reads, after the response. A client that writes its whole body before it reads
 * the response would otherwise wait forever, or lose the response when the connection is closed while it writes. Call it before
 * the response is sent. nginx does the same (`lingering_close`).
 */
export function discardUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  if (response.shouldKeepAlive) {
    response.once('finish', () => {
      if (!request.complete) void discardRest(request);
    });
    return;
  }
  // Node.js closes this connection at the end of the response, so the response ends after the body.
  const end = response.end.bind(response) as (...parameters: unknown[]) => ServerResponse;
  response.end = ((...parameters: unknown[]): ServerResponse => {
    const [data] = parameters;
    if (request.complete || typeof data === 'function') return end(...parameters);
    if (typeof data === 'string' || Buffer.isBuffer(data)) response.write(data);
    else response.flushHeaders();
    void discardRest(request).then(() => end());
    return response;
  }) as ServerResponse['end'];
}

/**
 * Reads and discards the rest of a request body. Closes the connection if the client stops sending, or sends for too long. Resolves
 * at the end of the body or of the connection.
 */
function discardRest(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve();
  const endsAt = performance.now() + MAX_LINGER_MS;
  let isWriting = false;
  const check = (): void => {
    if (!request.complete && (!isWriting || performance.now() > endsAt)) request.destroy();
    isWriting = false;
  };
  // `setImmediate`: if the event loop was blocked, the data that has arrived meanwhile is read before the check.
  const timer = setInterval(() => setImmediate(check), IDLE_MS);
  timer.unref();
  return new Promise((resolve) => {
    const stop = (): void => {
      clearInterval(timer);
      resolve();
    };
    request
      .on('data', () => (isWriting = true))
      .once('end', stop)
      .once('close', stop)
      .resume();
  });
}
