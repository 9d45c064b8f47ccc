import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { CallOptions } from './calls/call-options';
import { callsOf, type CallKind } from './calls/calls';
import { LoadRecorder, type LoadReport } from './load-report';

/** The parameters of one run, passed as JSON in the first argument. */
export interface LoadOrder extends CallOptions {
  kind: CallKind;
  port: number;
  connections: number;
  /** The run ends after this time or after this number of calls, whichever is first. */
  durationMs: number;
  calls: number;
  /** The number of the first call, so that runs do not repeat calls. */
  offset: number;
  /** After this many calls the numbers start again. */
  distinct?: number;
  /**
   * Open loop: calls fall due at this rate, regardless of the answers, and wait if every connection is busy. Latencies
   * count from the time at which a call fell due.
   */
  perSecond?: number;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/**
 * An HTTP client. Closed loop unless a rate is given: every connection sends its next call when the last one is answered.
 * It parses only the status and the length of a response, because it shares the processors with the server.
 */
async function runLoad(order: LoadOrder): Promise<LoadReport> {
  const callOf = callsOf(order.kind, order);
  const recorder = new LoadRecorder();
  const { startedAt } = recorder;
  const endsAt = startedAt + order.durationMs;
  const intervalMs = order.perSecond === undefined ? 0 : 1000 / order.perSecond;
  let sent = 0;

  const nextCall = async (): Promise<{ call: Buffer; dueAt: number } | null> => {
    const dueAt = startedAt + sent * intervalMs;
    if (sent >= order.calls || performance.now() >= endsAt || dueAt >= endsAt) return null;
    const number = sent++;
    const call = callOf(order.offset + (number % (order.distinct ?? Infinity)));
    if (intervalMs === 0) return { call, dueAt: performance.now() };
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
        const isFirstRefusal = recorder.record(callAt, text.startsWith('HTTP/1.1 20'));
        if (isFirstRefusal) console.error(text, pending.toString('utf8', head));
        pending = Buffer.alloc(0);
        void next();
      });
    });

  await Promise.all(Array.from({ length: order.connections }, drive));
  return recorder.report();
}

const order = JSON.parse(process.argv[2] ?? '{}') as LoadOrder;
void runLoad(order).then((report) => console.log(JSON.stringify(report)));
