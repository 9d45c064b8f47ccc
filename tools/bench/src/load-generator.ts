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
  /** Ports of further processes of the service. The connections are distributed over all of them. */
  morePorts?: readonly number[];
  /**
   * For load that a service may hold back: refusals are expected, a connection waits for the time in Retry-After, and it is
   * opened again when the service closes it. A LoadProgress is printed at the start and on each SIGUSR2.
   */
  mayRefuse?: boolean;
  /** The beginnings of the status codes that count as success. The default is 20. */
  successes?: readonly string[];
}

/** The calls that are answered so far. */
export interface LoadProgress {
  ok: number;
  refused: number;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const RECONNECT_MS = 100;

/**
 * An HTTP client. Closed loop unless a rate is given: every connection sends its next call when the last one is answered.
 * It parses only the status and the length of a response, because it shares the processors with the server.
 */
async function runLoad(order: LoadOrder): Promise<LoadReport> {
  const callOf = callsOf(order.kind, order);
  const recorder = new LoadRecorder();
  const { startedAt } = recorder;
  const { mayRefuse = false, successes = ['20'] } = order;
  const printProgress = (): void => console.log(JSON.stringify(recorder.progress satisfies LoadProgress));
  if (mayRefuse) {
    process.on('SIGUSR2', printProgress);
    printProgress();
  }
  const ports = [order.port, ...(order.morePorts ?? [])];
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

  /** Makes calls over one connection. Resolves with whether the load is complete; otherwise the connection was closed. */
  const drive = (port: number): Promise<boolean> =>
    new Promise((resolve, reject) => {
      const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let callAt = 0;
      let pending: Buffer = Buffer.alloc(0);
      const next = async (): Promise<void> => {
        const due = await nextCall();
        if (!due) {
          resolve(true);
          socket.end();
          return;
        }
        callAt = due.dueAt;
        socket.write(due.call);
      };
      socket.on('connect', () => void next());
      socket.on('error', (error) => (mayRefuse ? resolve(false) : reject(error)));
      socket.on('close', () => resolve(false));
      socket.on('data', (chunk) => {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
        const head = pending.indexOf(END_OF_HEAD);
        if (head < 0) return;
        const text = pending.toString('latin1', 0, head);
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
        if (pending.length < head + 4 + length) return;
        const isSuccess = successes.some((status) => text.startsWith(`HTTP/1.1 ${status}`));
        const isFirstRefusal = recorder.record(callAt, isSuccess);
        if (isFirstRefusal && !mayRefuse) console.error(text, pending.toString('utf8', head));
        pending = Buffer.alloc(0);
        const retryAfter = mayRefuse && !isSuccess ? Number(/retry-after: (\d+)/i.exec(text)?.[1] ?? 0) : 0;
        void (retryAfter === 0 ? next() : delay(retryAfter * 1000).then(next));
      });
    });

  const driveUntilComplete = async (port: number): Promise<void> => {
    while (!(await drive(port))) {
      if (!mayRefuse) throw new Error(`The service on port ${port} closed a connection.`);
      await delay(RECONNECT_MS);
    }
  };

  await Promise.all(
    Array.from({ length: order.connections }, (_, index) => driveUntilComplete(ports[index % ports.length] ?? 0)),
  );
  return recorder.report();
}

const order = JSON.parse(process.argv[2] ?? '{}') as LoadOrder;
void runLoad(order).then((report) => console.log(JSON.stringify(report)));
