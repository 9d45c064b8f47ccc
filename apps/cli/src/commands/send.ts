import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RequestOptions } from '@heliograph/sdk';
import type { Command } from 'commander';
import { connect, type Context } from '../context';
import { CommandError, EXIT } from '../exit-codes';
import { plain, table } from '../output';
import { defined, readText, repeated, variablesOf } from '../values';

interface SmsOptions {
  to: string;
  sender?: string;
  message?: string;
  template?: string;
  var?: string[];
  flash?: boolean;
  at?: string;
  reference?: string;
  idempotencyKey?: string;
}

interface EmailOptions {
  to: string[];
  from?: string;
  subject?: string;
  text?: string;
  html?: string;
  template?: string;
  var?: string[];
  attach?: string[];
  at?: string;
  reference?: string;
  idempotencyKey?: string;
}

interface ChatOptions {
  to: string;
  text?: string;
  template?: string;
  language?: string;
  category?: 'marketing' | 'utility' | 'authentication';
  idempotencyKey?: string;
}

const smsOptions = (command: Command): Command =>
  command
    .requiredOption('--to <number>', 'phone number, such as +919876543210')
    .option('--sender <id>', 'id or header of the sender')
    .option('--message <text>', 'the whole text')
    .option('--template <name>', 'id or name of the template, instead of --message')
    .option('--var <name=value>', 'variable of the template; repeat it for others', repeated)
    .option('--flash', 'display at once, without storing')
    .option('--at <time>', 'scheduled time, RFC 3339')
    .option('--reference <text>', 'your own id');

const emailOptions = (command: Command): Command =>
  command
    .requiredOption('--to <address>', 'recipient; repeat it for others', repeated)
    .option('--from <address>', 'sender of a verified domain')
    .option('--subject <text>')
    .option('--text <text>', 'plain text; @FILE reads a file')
    .option('--html <html>', 'HTML; @FILE reads a file')
    .option('--template <slug>', 'id or slug of the template')
    .option('--var <name=value>', 'variable; repeat it for others', repeated)
    .option('--attach <file>', 'attachment; repeat it for others', repeated)
    .option('--at <time>', 'scheduled time, RFC 3339')
    .option('--reference <text>', 'your own id');

const chatOptions = (command: Command): Command =>
  command
    .requiredOption('--to <number>', 'phone number')
    .option('--text <text>', 'text, within 24 hours after a message of the recipient')
    .option('--template <name>', 'name of an approved template')
    .option('--language <code>', 'language of the template')
    .option('--category <category>', 'marketing, utility or authentication');

export function addSend(program: Command, contextOf: (command: Command) => Context): void {
  const send = program.command('send').description('Send a message');
  const key = (command: Command): Command =>
    command.option('--idempotency-key <key>', 'the same key sends the message once');
  key(smsOptions(send.command('sms').description('Send an SMS'))).action(
    async (options: SmsOptions, command: Command) => {
      const context = contextOf(command);
      const { client } = await connect(context);
      const sent = await client.sms.messages.send(smsOf(options), requestOptions(options));
      const { id, status, segments, credits_cost: cost, credits_remaining: left } = sent;
      context.output.result(sent, `${id} is ${status}: ${segments} segment(s), ${cost} credit(s). ${left} remain.`);
    },
  );
  key(emailOptions(send.command('email').description('Send an email'))).action(
    async (options: EmailOptions, command: Command) => {
      const context = contextOf(command);
      const { client } = await connect(context);
      const sent = await client.email.messages.send(emailOf(options), requestOptions(options));
      const { id, status, credits_cost: cost, credits_remaining: left } = sent;
      context.output.result(sent, `${id} is ${status}: ${cost} credit(s). ${left} remain.`);
    },
  );
  key(chatOptions(send.command('chat').description('Send a chat-app message'))).action(
    async (options: ChatOptions, command: Command) => {
      const context = contextOf(command);
      const { client } = await connect(context);
      const sent = await client.chatapp.messages.send(chatOf(options), requestOptions(options));
      context.output.result(sent, plain(sent));
    },
  );
}

export function addQuote(program: Command, contextOf: (command: Command) => Context): void {
  const quote = program.command('quote').description('Check a send and get its cost, without sending');
  smsOptions(quote.command('sms').description('Check an SMS')).action(async (options: SmsOptions, command: Command) =>
    showQuote(contextOf(command), { channel: 'sms', ...smsOf(options) }),
  );
  emailOptions(quote.command('email').description('Check an email')).action(
    async (options: EmailOptions, command: Command) =>
      showQuote(contextOf(command), { channel: 'email', ...emailOf(options) }),
  );
  chatOptions(quote.command('chat').description('Check a chat-app message')).action(
    async (options: ChatOptions, command: Command) =>
      showQuote(contextOf(command), { channel: 'chatapp', ...chatOf(options) }),
  );
}

type QuoteInput = { channel: 'sms' | 'email' | 'chatapp' } & Record<string, unknown>;

async function showQuote(context: Context, input: QuoteInput): Promise<void> {
  const { client } = await connect(context);
  const quote = await client.messages.quote(input);
  const { verdict, segments, credits_cost: cost, credits_available: available, checks, currency } = quote;
  const unit = currency ?? 'credit(s)';
  const parts = segments === null ? '' : ` (${segments} segments)`;
  const lines = checks.map(({ name, result, message }) => [`  ${result}`, name, message]);
  context.output.result(
    quote,
    [`${verdict}: costs ${cost ?? '?'} ${unit}${parts}, ${available ?? '?'} available`, table(lines)].join('\n'),
  );
  if (verdict === 'refused') throw new CommandError('The send would be refused.', EXIT.problem);
}

const requestOptions = ({ idempotencyKey }: { idempotencyKey?: string }): RequestOptions => defined({ idempotencyKey });

const smsOf = ({ to, sender, message, template, var: pairs, flash, at, reference }: SmsOptions) => ({
  to,
  ...defined({
    sender_id: sender,
    message,
    template_id: template,
    variables: variablesOf(pairs),
    flash,
    scheduled_at: at,
    reference,
  }),
});

const emailOf = ({ to, from, subject, text, html, template, var: pairs, attach, at, reference }: EmailOptions) => ({
  to,
  ...defined({
    from,
    subject,
    text: contentOf(text),
    html: contentOf(html),
    template_id: template,
    variables: variablesOf(pairs),
    attachments: attach?.map(attachmentOf),
    scheduled_at: at,
    reference,
  }),
});

const chatOf = ({ to, text, template, language, category }: ChatOptions) => ({
  to,
  type: template === undefined ? ('text' as const) : ('template' as const),
  ...defined({
    text,
    category,
    template: template === undefined ? undefined : { name: template, ...defined({ language }) },
  }),
});

const contentOf = (text: string | undefined): string | undefined =>
  text?.startsWith('@') ? readText(text.slice(1)) : text;

function attachmentOf(file: string): { filename: string; content: string } {
  try {
    return { filename: path.basename(file), content: readFileSync(file).toString('base64') };
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`, EXIT.usage);
  }
}
