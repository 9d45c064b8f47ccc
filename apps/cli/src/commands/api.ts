import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FileDownload, type CallDefinition, type RequestOptions } from '@heliograph/sdk';
import { definitions, summaries } from '@heliograph/sdk/definitions';
import type { Command } from 'commander';
import { connect, type Context } from '../context';
import { CommandError, EXIT } from '../exit-codes';
import { table, type Output } from '../output';
import { defined, jsonOf, pick } from '../values';

interface ApiOptions {
  data?: string;
  file?: string;
  all?: boolean;
  match?: string;
  pick?: string;
  output?: string;
  conversationToken?: string;
  idempotencyKey?: string;
}

export function addApi(program: Command, contextOf: (command: Command) => Context): void {
  program
    .command('api')
    .argument('[call]', 'name such as sms.messages.list; without it, all calls are listed')
    .argument('[ids...]', 'ids in the order of the path')
    .description('Make any call of the API')
    .option('--data <json>', 'input as JSON; @FILE reads a file, @- the standard input')
    .option('--file <file>', 'file to upload')
    .option('--all', 'all entries of a list instead of the first page')
    .option('--match <field=value>', 'the first entry of a list with this value')
    .option('--pick <path>', 'print only this value, such as id or 0.name')
    .option('--output <file>', 'write a downloaded file here; by default to the standard output')
    .option('--conversation-token <token>', 'token of a conversation, for the calls of visitors')
    .option('--idempotency-key <key>', 'the same key has one effect')
    .action(async (name: string | undefined, ids: string[], options: ApiOptions, command: Command) => {
      const context = contextOf(command);
      if (name === undefined) return listCalls(context.output);
      const definition = definitions[name];
      if (!definition)
        throw new CommandError(`There is no call ${name}. \`heliograph api\` lists all calls.`, EXIT.usage);
      await makeCall(definition, ids, options, context);
    });
}

function listCalls(output: Output): void {
  const rows = Object.values(definitions).map(({ name, positions }) => [
    [name, ...positions.map((one) => `<${one}>`)].join(' '),
    summaries[name],
  ]);
  output.result(Object.keys(definitions), table(rows));
}

async function makeCall(
  definition: CallDefinition,
  ids: string[],
  options: ApiOptions,
  context: Context,
): Promise<void> {
  const { name, positions, result, paging } = definition;
  if (ids.length !== positions.length) {
    const expected = positions.length === 0 ? 'no ids' : positions.map((one) => `<${one}>`).join(' ');
    throw new CommandError(`${name} takes ${expected}, not ${ids.length} argument(s).`, EXIT.usage);
  }
  const { client } = await connect(context);
  const { signal, output } = context;
  const input = {
    ...(options.data === undefined ? {} : jsonOf(options.data)),
    ...(options.file === undefined ? {} : { file: await fileOf(options.file) }),
  };
  const { conversationToken, idempotencyKey } = options;
  const settings: RequestOptions = { signal, ...defined({ conversationToken, idempotencyKey }) };
  if (result === 'events') {
    for await (const event of client.stream(definition, ids, input, settings)) print(output, event, options);
    return;
  }
  if (paging) {
    const page = client.list(definition, ids, input, settings);
    const entries: unknown[] = [];
    if (options.all || options.match !== undefined) for await (const entry of page) entries.push(entry);
    else entries.push(...(await page).data);
    if (options.pick !== undefined || options.match !== undefined) return print(output, entries, options);
    for (const entry of entries) print(output, entry, options);
    return;
  }
  const value = await client.call(definition, ids, input, settings);
  if (value instanceof FileDownload) return saveFile(value, options.output);
  if (value !== undefined) print(output, value, options);
}

function print(output: Output, value: unknown, { match, pick: at }: ApiOptions): void {
  const chosen = match === undefined ? value : matching(value, match);
  const picked = at === undefined ? chosen : pick(chosen, at);
  if (picked === undefined) throw new CommandError(`The result has no ${at}.`, EXIT.failure);
  const isPlain = typeof picked === 'string' && at !== undefined;
  output.result(picked, isPlain ? picked : JSON.stringify(picked, null, process.stdout.isTTY ? 2 : undefined));
}

/** The first entry with a value, in a list or in the only list of an object. */
function matching(value: unknown, match: string): unknown {
  const [field = '', ...rest] = match.split('=');
  const list = Array.isArray(value) ? value : Object.values(value ?? {}).find((one) => Array.isArray(one));
  const found = (list as unknown[] | undefined)?.find((entry) => String(pick(entry, field)) === rest.join('='));
  if (found === undefined) throw new CommandError(`No entry has ${match}.`, EXIT.failure);
  return found;
}

async function fileOf(file: string): Promise<{ content: Blob; name: string; type: string }> {
  try {
    const type = file.endsWith('.csv') ? 'text/csv' : file.endsWith('.txt') ? 'text/plain' : '';
    const content = await openAsBlob(file, { type });
    return { content, name: path.basename(file), type: type || 'application/octet-stream' };
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`, EXIT.usage);
  }
}

async function saveFile(file: FileDownload, target: string | undefined): Promise<void> {
  const content = await file.bytes();
  if (target !== undefined) await writeFile(target, content);
  else process.stdout.write(content);
}
