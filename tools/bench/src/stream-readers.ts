import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { benchConversation } from './calls/bot-calls';

/** The parameters of one run, passed as JSON in the first argument. */
export interface StreamsOrder {
  port: number;
  /** One stream for each of the first conversations. */
  streams: number;
}

/** Arrival times by message id, in nanoseconds of the monotonic clock. */
export type Arrivals = Record<string, string>;

export interface StreamsReport {
  open: number;
  broken: number;
  heartbeats: number;
  arrivals: Arrivals;
  /** Messages that arrived more than once. */
  repeated: number;
}

const MAX_CONNECTING = 50;

/**
 * Visitors with open event streams. Prints a line when all streams are open, and a report of the arrivals on each SIGUSR2.
 */
async function main(): Promise<void> {
  const { port, streams } = JSON.parse(process.argv[2] ?? '{}') as StreamsOrder;
  const report: StreamsReport = { open: 0, broken: 0, heartbeats: 0, arrivals: {}, repeated: 0 };
  const open = (index: number): void => {
    const { id, token } = benchConversation(index);
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let isOpen = false;
    socket.setEncoding('latin1');
    socket.on('connect', () =>
      socket.write(
        `GET /api/v1/chat/conversations/${id}/events HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n` +
          `Authorization: Bearer ${token}\r\n\r\n`,
      ),
    );
    socket.on('data', (text: string) => {
      const at = process.hrtime.bigint().toString();
      if (!isOpen && text.startsWith('HTTP/1.1 200')) {
        isOpen = true;
        report.open++;
      }
      if (text.includes('\n:\n\n')) report.heartbeats++;
      for (const [, messageId = ''] of text.matchAll(/^id: (\S+)$/gm)) {
        if (messageId in report.arrivals) report.repeated++;
        else report.arrivals[messageId] = at;
      }
    });
    socket.on('error', () => undefined);
    socket.on('close', () => report.broken++);
  };
  for (let index = 0; index < streams; index++) {
    open(index);
    if (index % MAX_CONNECTING === 0)
      while (index - report.open > 2 * MAX_CONNECTING && report.broken === 0) await delay(2);
  }
  while (report.open < streams && report.broken === 0) await delay(10);
  process.on('SIGUSR2', () => console.log(JSON.stringify(report)));
  console.log(JSON.stringify({ open: report.open }));
}

void main();
