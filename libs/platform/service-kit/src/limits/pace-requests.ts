import type { RequestListener, Server } from 'node:http';

const AT_A_TIME = 8;

/**
 * Starts only a few requests per turn of the event loop, so that fifty simultaneous requests do not delay all others.
 */
export function paceRequests(server: Server): void {
  const listeners = server.listeners('request') as RequestListener[];
  const waiting: Parameters<RequestListener>[] = [];
  let begun = 0;
  const begin = (...call: Parameters<RequestListener>): void => {
    for (const listener of listeners) listener(...call);
  };
  const next = (): void => {
    begun = 0;
    for (const call of waiting.splice(0, AT_A_TIME)) {
      begun++;
      // The client has disconnected meanwhile.
      if (call[0].destroyed) continue;
      begin(...call);
    }
    if (begun > 0) setImmediate(next);
  };
  server.removeAllListeners('request');
  server.on('request', (...call: Parameters<RequestListener>) => {
    if (begun === 0) setImmediate(next);
    if (begun >= AT_A_TIME) {
      waiting.push(call);
      return;
    }
    begun++;
    begin(...call);
  });
}
