import { createServer, type AddressInfo, type Socket } from 'node:net';

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
  ids: Set<string>;
}

const END_OF_HEAD = '\r\n\r\n';
/** The delay of the endpoints that answer slowly. */
const SLOW_MS = 2_000;
const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const names = new Map<string, Received>();

/**
 * A receiver of webhooks. `/<name>/…` answers 200 at once, `/slow/…` after a delay, `/hang` never. Prints its port, and on each SIGUSR2 the totals of
 * each name since the last SIGHUP. It shares the processors with the workers, so it reads no more of a request than it counts:
 * with the HTTP server of Node.js, a delivery would cost more CPU time here than in the worker that is measured.
 */
const server = createServer({ noDelay: true }, (socket) => {
  let held = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (let length = receive(socket, held); length > 0; length = receive(socket, held)) held = held.subarray(length);
  });
});

/** Answers the first request in `held`. Returns its length; 0 if it is not complete. */
function receive(socket: Socket, held: Buffer): number {
  const end = held.indexOf(END_OF_HEAD);
  if (end === -1) return 0;
  const head = held.toString('latin1', 0, end);
  const bytes = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  const length = end + END_OF_HEAD.length + bytes;
  if (held.length < length) return 0;
  const name = head.slice(0, head.indexOf('\r\n')).split('/', 2)[1]?.split(' ', 1)[0] ?? '';
  if (name === 'hang') return length;
  count(name, /\r\nwebhook-id: *([^\r]+)/i.exec(head)?.[1] ?? '', bytes);
  if (name === 'slow') setTimeout(() => socket.write(ANSWER), SLOW_MS);
  else socket.write(ANSWER);
  return length;
}

function count(name: string, id: string, bytes: number): void {
  const at = Date.now();
  const totals = names.get(name) ?? { requests: 0, ids: new Set(), bytes: 0, firstAt: at, lastAt: at };
  names.set(name, totals);
  totals.requests++;
  totals.ids.add(id);
  totals.bytes += bytes;
  totals.lastAt = at;
}

server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })));

process.on('SIGUSR2', () => {
  const totals = [...names].map(([name, { ids, ...rest }]) => [name, { ...rest, events: ids.size }]);
  console.log(JSON.stringify(Object.fromEntries(totals)));
});
process.on('SIGHUP', () => names.clear());
process.once('SIGTERM', () => process.exit(0));
