import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the receiver has got for one name, the first part of the path. */
export interface ReceivedTotals {
  requests: number;
  /** Different values of webhook-id. */
  events: number;
  bytes: number;
  /** Milliseconds since the epoch. */
  firstAt: number;
  lastAt: number;
}

interface Received extends Omit<ReceivedTotals, 'events'> {
  ids: Set<unknown>;
}

/**
 * A receiver of webhooks. `/<name>/…` answers 200 at once, `/hang` never. Prints its port, and on each SIGUSR2 the totals of
 * each name since the last SIGHUP.
 */
const names = new Map<string, Received>();
const server = createServer((request, response) => {
  const name = request.url?.split('/')[1] ?? '';
  let bytes = 0;
  request.on('data', (chunk: Buffer) => (bytes += chunk.length));
  request.on('end', () => {
    if (name === 'hang') return;
    const at = Date.now();
    const totals = names.get(name) ?? { requests: 0, ids: new Set(), bytes: 0, firstAt: at, lastAt: at };
    names.set(name, totals);
    totals.requests++;
    totals.ids.add(request.headers['webhook-id']);
    totals.bytes += bytes;
    totals.lastAt = at;
    response.end('ok');
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })));

process.on('SIGUSR2', () => {
  const totals = [...names].map(([name, { ids, ...rest }]) => [name, { ...rest, events: ids.size }]);
  console.log(JSON.stringify(Object.fromEntries(totals)));
});
process.on('SIGHUP', () => names.clear());
process.once('SIGTERM', () => process.exit(0));
