import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { callsOf, type CallKind, type CallOptions } from './calls/calls';

/** What one run of the generator is told, as the JSON of its first argument. */
export interface LoadOrder extends CallOptions {
  kind: CallKind;
  port: number;
  connections: number;
  /** Ends after so many milliseconds, or after so many calls, whichever is first. */
  durationMs: number;
  calls: number;
  /** Number of the first call, so that runs do not meet. */
  offset: number;
  /** After so many calls the numbers begin anew. */
  distinct?: number;
  /**
   * Open loop: calls fall due at this rate, however fast they are answered, and wait when every connection is taken.
   * Latencies count from when a call fell due.
   */
  perSecond?: number;
}

export interface LoadReport {
  ok: number;
  refused: number;
  seconds: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  cpuSeconds: number;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/**
 * An HTTP client; closed-loop unless a rate is given: every connection sends its next call when the last is answered. It
 * reads just as much of an answer as it needs (status and length), because it shares two cores with what it measures.
 */
export async function runLoad(order: LoadOrder): Promise<LoadReport> {
  const latencies: number[] = [];
  const callOf = callsOf(order.kind, order);
  let [ok, refused, sent] = [0, 0, 0];
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const endsAt = startedAt + order.durationMs;

  const gapMs = order.perSecond === undefined ? 0 : 1000 / order.perSecond;

  const nextCall = async (): Promise<{ call: Buffer; dueAt: number } | null> => {
    const dueAt = startedAt + sent * gapMs;
    if (sent >= order.calls || performance.now() >= endsAt || dueAt >= endsAt) return null;
    const number = sent++;
    const call = callOf(order.offset + (number % (order.distinct ?? Infinity)));
    if (gapMs === 0) return { call, dueAt: performance.now() };
    const waitMs = dueAt - performance.now();
    if (waitMs > 0) await delay(waitMs);
    return { call, dueAt };
  };

  const drive = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket: Socket = connect({ port: order.port, host: '127.0.0.1', noDelay: true });
      let callAt = 0;
      let pending: Buffer = Buffer.alloc(0);
      const next = async (): Promise<void> => {
        const due = await nextCall();
        if (!due) {
          socket.end();
          resolve();
          return;
        }
        callAt = due.dueAt;
        socket.write(due.call);
      };
      socket.on('connect', () => void next());
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
        const head = pending.indexOf(END_OF_HEAD);
        if (head < 0) return;
        const text = pending.toString('latin1', 0, head);
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
        if (pending.length < head + 4 + length) return;
        if (text.startsWith('HTTP/1.1 20')) ok++;
        else if (refused++ === 0) console.error(text, pending.toString('utf8', head));
        latencies.push(performance.now() - callAt);
        pending = Buffer.alloc(0);
        void next();
      });
    });

  await Promise.all(Array.from({ length: order.connections }, drive));
  const seconds = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number): number =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  const { user, system } = process.cpuUsage(cpu);
  return {
    ok,
    refused,
    seconds,
    perSecond: ok / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    cpuSeconds: (user + system) / 1e6,
  };
}

const [, , orderText] = process.argv;
if (orderText?.startsWith('{')) {
  void runLoad(JSON.parse(orderText) as LoadOrder).then((report) => console.log(JSON.stringify(report)));
}
