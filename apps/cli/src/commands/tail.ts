import { setTimeout as delay } from 'node:timers/promises';
import { followEvents, type LoggedRequest, type WebhookEvent } from '@heliograph/sdk';
import type { Command } from 'commander';
import { connect, type Context } from '../context';
import { endOfFeed } from '../follow';
import { plain } from '../output';
import { defined, repeated } from '../values';

const POLL_MS = 1_000;
const MESSAGE_EVENTS = ['sms.*', 'email.*', 'chatapp.*'];
/** The log has a call a second after its response. */
const KNOWN_REQUESTS = 1_000;
const LOG_PATH = '/api/v1/requests';

interface TailOptions {
  type?: string[];
}

interface LogOptions {
  status?: string;
  path?: string;
  errors?: boolean;
}

export function addTails(program: Command, contextOf: (command: Command) => Context): void {
  program
    .command('messages')
    .description('Messages of all channels')
    .command('tail')
    .description('Show the events of messages as they happen')
    .option('--type <type>', 'event type such as sms.delivered or email.*; repeat it for others', repeated)
    .action(async ({ type = MESSAGE_EVENTS }: TailOptions, command: Command) => {
      const context = contextOf(command);
      const { client } = await connect(context);
      const { signal, output } = context;
      const after = await endOfFeed(client, signal);
      output.note(output.color('dim', 'Waiting for events. Ctrl-C ends.'));
      for await (const event of followEvents(client, { types: type, pollMs: POLL_MS, signal, ...defined({ after }) })) {
        output.result(event, lineOf(context, event));
      }
    });
  program
    .command('logs')
    .description('Calls of API keys')
    .command('tail')
    .description('Show the calls of the API keys as they happen')
    .option('--status <status>', 'only this HTTP status')
    .option('--path <path>', 'only calls of this path')
    .option('--errors', 'only refused and failed calls')
    .action(async (options: LogOptions, command: Command) => tailLogs(options, contextOf(command)));
}

function lineOf({ output }: Context, { timestamp, type, data }: WebhookEvent): string {
  const record = data as Record<string, unknown> & {
    recipient?: { to?: string };
    message?: { id?: string; to?: string };
  };
  const id = record['id'] ?? record.message?.id;
  const to = record.recipient?.to ?? record['to'] ?? record.message?.to;
  const color = /failed|bounced|complained/.test(type)
    ? 'red'
    : /delivered|read|opened|clicked/.test(type)
      ? 'green'
      : 'bold';
  return [output.color('dim', timestamp), output.color(color, type.padEnd(24)), plain(id), plain(to)].join('  ');
}

async function tailLogs({ status, path, errors }: LogOptions, context: Context): Promise<void> {
  const { client } = await connect(context);
  const { signal, output } = context;
  const filters = {
    from: new Date().toISOString(),
    ...defined({ status: status === undefined ? undefined : Number(status), path }),
    ...(errors ? { result: 'error' as const } : {}),
  };
  output.note(output.color('dim', 'Waiting for calls. Ctrl-C ends.'));
  const known = new Set<string>();
  while (!signal.aborted) {
    const found: LoggedRequest[] = [];
    for await (const request of client.requests.list({ ...filters, limit: 100 }, { signal })) {
      if (known.has(request.id)) break;
      // The calls of this command would never end.
      if (request.path === LOG_PATH) known.add(request.id);
      else found.push(request);
    }
    for (const request of found.reverse()) {
      known.add(request.id);
      const { at, method, path: called, status: result, duration_ms: ms, error } = request;
      const text = output.color(result < 400 ? 'green' : 'red', String(result));
      output.result(
        request,
        `${output.color('dim', at)}  ${text}  ${method} ${plain(called)}  ${ms} ms  ${plain(error)}`.trimEnd(),
      );
    }
    for (const id of [...known].slice(0, Math.max(0, known.size - KNOWN_REQUESTS))) known.delete(id);
    await delay(POLL_MS, undefined, { signal });
  }
}
