import { randomUUID } from 'node:crypto';
import { followEvents, signWebhook, VERSION } from '@heliograph/sdk';
import type { Command } from 'commander';
import { connect, type Context } from '../context';
import { listenSecret } from '../credentials';
import { CommandError, EXIT } from '../exit-codes';
import { endOfFeed } from '../follow';
import { plain } from '../output';
import { defined, repeated } from '../values';

const POLL_MS = 1_000;
/** As long as the platform waits. */
const TIMEOUT_MS = 10_000;

interface ListenOptions {
  forwardTo: string;
  type?: string[];
}

interface TriggerOptions {
  forwardTo?: string;
  webhook?: string;
}

interface Delivery {
  id: string;
  type: string;
  status: number | null;
  error: string | null;
  durationMs: number;
}

export function addWebhooks(program: Command, contextOf: (command: Command) => Context): void {
  const webhooks = program.command('webhooks').description('Events for your programs');
  webhooks
    .command('listen')
    .description('Forward events to a URL on this machine, signed as deliveries are')
    .requiredOption('--forward-to <url>', 'such as localhost:3000/hook')
    .option('--type <type>', 'event type such as sms.delivered or email.*; repeat it for others', repeated)
    .action(async (options: ListenOptions, command: Command) => listen(options, contextOf(command)));
  webhooks
    .command('trigger')
    .argument('<type>', 'event type such as sms.delivered')
    .description('Deliver a sample event to a URL on this machine, or to a webhook')
    .option('--forward-to <url>', 'URL on this machine')
    .option('--webhook <id>', 'id of a webhook, to which the platform delivers the sample')
    .action(async (type: string, options: TriggerOptions, command: Command) =>
      trigger(type, options, contextOf(command)),
    );
}

async function listen({ forwardTo, type }: ListenOptions, context: Context): Promise<void> {
  const { signal, output, environment } = context;
  const url = urlOf(forwardTo);
  const { client } = await connect(context);
  const secret = await listenSecret(environment.folder);
  const after = await endOfFeed(client, signal);
  output.note(`Forwarding to ${url}. Verify the signatures with the secret ${secret}. Ctrl-C ends.`);
  const options = { signal, pollMs: POLL_MS, ...defined({ after, types: type }) };
  for await (const event of followEvents(client, options)) {
    show(context, await deliver(url, JSON.stringify(event), event, secret));
  }
}

async function trigger(type: string, { forwardTo, webhook }: TriggerOptions, context: Context): Promise<void> {
  const { client } = await connect(context);
  if (webhook !== undefined) {
    const attempt = await client.webhooks.test(webhook, { event: type });
    const result = attempt.status_code ?? attempt.error;
    context.output.result(attempt, `${type}: ${plain(result)} in ${attempt.duration_ms} ms`);
    if (!isSuccess(attempt.status_code)) throw new CommandError('The delivery failed.', EXIT.problem);
    return;
  }
  if (forwardTo === undefined) throw new CommandError('Set --forward-to or --webhook.', EXIT.usage);
  const { data } = await client.webhooks.eventTypes();
  const entry = data.find((one) => one.type === type);
  if (!entry) {
    const types = data.map((one) => one.type).join(', ');
    throw new CommandError(`There is no event type ${type}. The types are ${types}.`, EXIT.usage);
  }
  const event = { ...entry.example, id: `evt_${randomUUID()}`, type, timestamp: new Date().toISOString() };
  const secret = await listenSecret(context.environment.folder);
  const delivery = await deliver(urlOf(forwardTo), JSON.stringify(event), event, secret);
  show(context, delivery);
  if (!isSuccess(delivery.status)) throw new CommandError('The delivery failed.', EXIT.problem);
}

async function deliver(
  url: string,
  body: string,
  event: { id: string; type: string },
  secret: string,
): Promise<Delivery> {
  const { id, type } = event;
  const startedAt = Date.now();
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { ...(await signWebhook(body, secret, { id })), 'User-Agent': `Heliograph-Webhooks/${VERSION}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return { id, type, status: response.status, error: null, durationMs: Date.now() - startedAt };
  } catch (error) {
    const { cause } = error as Error;
    const message =
      cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : String(error);
    return { id, type, status: null, error: message, durationMs: Date.now() - startedAt };
  }
}

function show({ output }: Context, delivery: Delivery): void {
  const { id, type, status, error, durationMs } = delivery;
  const result = output.color(isSuccess(status) ? 'green' : 'red', plain(status ?? error));
  output.result(delivery, `${type.padEnd(24)}  ${id}  ${result}  ${durationMs} ms`);
}

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** `localhost:3000/hook` is a URL without its scheme. */
function urlOf(text: string): string {
  const url = /^https?:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(url)) throw new CommandError(`${text} is not a URL.`, EXIT.usage);
  return url;
}
