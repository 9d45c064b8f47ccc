import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';
import {
  ApiError,
  FileDownload,
  HeliographError,
  modeOfKey,
  type CallDefinition,
  type Heliograph,
} from '@heliograph/sdk';
import { definitions, summaries } from '@heliograph/sdk/definitions';
import type { Command } from 'commander';
import { connect, type Context } from '../context';
import { CommandError, EXIT } from '../exit-codes';
import inputs from '../generated/inputs.json';

/** What a tool may do without a flag, with `--allow-writes` and with `--allow-sends`. */
type Effect = 'read' | 'write' | 'send';

interface McpOptions {
  allowWrites?: boolean;
  allowSends?: boolean;
  live?: boolean;
  groups?: string;
}

const SCHEMAS = inputs as Readonly<Record<string, object>>;
/** A model cannot use these: they need a browser, a visitor, a password or a file. */
const EXCLUDED_GROUPS = ['auth', 'session', 'chat'];
/** Calls that reach people, or move money. */
const SENDS =
  /\.(send|sendBulk|reply|start|resume|replay|purchase|transfer)$|campaigns\.create$|invitations\.(create|resend)$/;
/** POST calls that only compute something. */
const COMPUTES = /\.(quote|estimate|preview|previewStored)$/;
/** A longer result would fill the context of a model. */
const MAX_RESULT_CHARACTERS = 100_000;

export function addMcp(program: Command, contextOf: (command: Command) => Context): void {
  program
    .command('mcp')
    .description('Serve the calls as tools of the Model Context Protocol over the standard input and output')
    .option('--allow-writes', 'also calls that change data')
    .option('--allow-sends', 'also calls that send messages or move credits')
    .option('--groups <names>', 'only these groups of calls, such as sms,email,contacts')
    .option('--live', 'accept a live key; by default only test keys')
    .action(async (options: McpOptions, command: Command) => serve(options, contextOf(command)));
}

async function serve(
  { allowWrites = false, allowSends = false, live = false, groups }: McpOptions,
  context: Context,
): Promise<void> {
  const { client, apiKey } = await connect(context);
  if (!live && modeOfKey(apiKey) !== 'test') {
    throw new CommandError('The key is not a test key. Use one, or add --live.', EXIT.credentials);
  }
  const allowed: Effect[] = [
    'read',
    ...(allowWrites ? ['write' as const] : []),
    ...(allowSends ? ['send' as const] : []),
  ];
  const calls = new Map(
    Object.values(definitions)
      .filter((definition) => isTool(definition) && allowed.includes(effectOf(definition)))
      .filter(({ name }) => groups === undefined || groups.split(',').includes(name.split('.')[0] ?? ''))
      .map((definition) => [toolName(definition), definition]),
  );
  const { server } = new McpServer({ name: 'heliograph', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...calls.values()].map(toolOf) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const definition = calls.get(params.name);
    if (!definition)
      return failure(`There is no tool ${params.name}, or it is not allowed. See heliograph mcp --help.`);
    return callTool(client, definition, params.arguments ?? {});
  });
  await server.connect(new StdioServerTransport());
  await new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once('end', resolve);
    context.signal.addEventListener('abort', () => resolve());
  });
  await server.close();
}

const isTool = ({ name, auth, body, result }: CallDefinition): boolean =>
  auth === 'key' && body !== 'form' && result !== 'events' && !EXCLUDED_GROUPS.includes(name.split('.')[0] ?? '');

export function effectOf({ name, method }: CallDefinition): Effect {
  if (SENDS.test(name)) return 'send';
  return method === 'GET' || COMPUTES.test(name) ? 'read' : 'write';
}

const toolName = ({ name }: CallDefinition): string => name.replaceAll('.', '_');

function toolOf(definition: CallDefinition): Tool {
  const { name, positions, method, path, isIdempotent } = definition;
  const schema = (SCHEMAS[name] ?? { type: 'object' }) as { properties?: object; required?: string[] };
  const ids = Object.fromEntries(positions.map((one) => [one, { type: 'string', description: 'Id in the path' }]));
  const effect = effectOf(definition);
  return {
    name: toolName(definition),
    description: `${summaries[name] ?? name} (${method} ${path})`,
    inputSchema: {
      ...schema,
      type: 'object',
      properties: { ...schema.properties, ...ids },
      required: [...positions, ...(schema.required ?? [])],
    } as Tool['inputSchema'],
    annotations: {
      readOnlyHint: effect === 'read',
      destructiveHint: method === 'DELETE',
      idempotentHint: isIdempotent || method !== 'POST',
      openWorldHint: effect === 'send',
    },
  };
}

interface ToolResult {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  isError?: boolean;
}

async function callTool(
  client: Heliograph,
  definition: CallDefinition,
  given: Record<string, unknown>,
): Promise<ToolResult> {
  const { positions } = definition;
  const ids = positions.map((name) => String(given[name] ?? ''));
  const input = Object.fromEntries(Object.entries(given).filter(([name]) => !positions.includes(name)));
  try {
    const value = await client.call(definition, ids, input);
    const text = value instanceof FileDownload ? await value.text() : JSON.stringify(value ?? {});
    if (text.length <= MAX_RESULT_CHARACTERS) return { content: [{ type: 'text', text }] };
    return failure(`The result has ${text.length} characters, too many. Use a smaller limit or more filters.`);
  } catch (error) {
    if (error instanceof ApiError) {
      const { status, code, message, fields, requestId, link } = error;
      return failure(JSON.stringify({ status, code, message, fields, requestId, link }));
    }
    if (error instanceof HeliographError) return failure(error.message);
    throw error;
  }
}

const failure = (text: string): ToolResult => ({ content: [{ type: 'text', text }], isError: true });
