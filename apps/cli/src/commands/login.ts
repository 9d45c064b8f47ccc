import os from 'node:os';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { ApiError, Heliograph, modeOfKey } from '@heliograph/sdk';
import { Option, type Command } from 'commander';
import { describeMode, type Context } from '../context';
import { deleteCredentials, writeCredentials } from '../credentials';
import { CommandError, EXIT } from '../exit-codes';
import { plain } from '../output';
import { defined } from '../values';
import { loginByBrowser, SCOPES, type Scope } from './login-by-browser';

interface LoginOptions {
  /** Absent for all permissions. */
  scopes?: Scope[];
  browser: boolean;
  key?: string;
  email?: string;
  live?: boolean;
  baseUrl?: string;
}

const DEFAULT_URL = 'http://localhost:8080';

export function addLogin(program: Command, contextOf: (command: Command) => Context): void {
  program
    .command('login')
    .description('Get an API key that you approve in the browser, or store one')
    .option('--key <key>', 'API key; - reads it from the standard input')
    .option('--email <address>', 'sign in, and create a key for this machine')
    .addOption(new Option('--scopes <scopes...>', 'scopes to ask for; without it, all permissions').choices(SCOPES))
    .option('--no-browser', 'only print the address')
    .option('--live', 'create a live key; by default a test key, which sends nothing to anyone')
    .action(async (options: LoginOptions, command: Command) => login(options, contextOf(command)));
  program
    .command('logout')
    .description('Delete the stored API key from this machine')
    .action(async (_: object, command: Command) => {
      const { environment, output } = contextOf(command);
      const existed = await deleteCredentials(environment.folder);
      output.result({ loggedOut: existed }, existed ? 'The key was deleted from this machine.' : 'There was no key.');
    });
}

async function login(options: LoginOptions, context: Context): Promise<void> {
  const { environment, output } = context;
  const baseUrl = context.options.baseUrl ?? environment.baseUrl ?? DEFAULT_URL;
  const apiKey = (await obtainKey(baseUrl, options, context)).trim();
  const client = new Heliograph({ apiKey, baseUrl });
  const { name, organizationId, workspaceId } = await client.me();
  const workspace = context.options.workspace ?? environment.workspace;
  const file = await writeCredentials(environment.folder, { apiKey, baseUrl, ...defined({ workspace }) });
  output.result(
    { name, organizationId, workspaceId, mode: modeOfKey(apiKey), file },
    `Logged in to ${baseUrl} with the key "${plain(name)}" (${describeMode(apiKey)}). It is stored in ${file}.`,
  );
}

async function obtainKey(
  baseUrl: string,
  { key, email, live = false, scopes = [], browser }: LoginOptions,
  context: Context,
): Promise<string> {
  if (email !== undefined) return prompted((prompt) => createKey(baseUrl, email, live, prompt));
  if (key === '-') return prompted((prompt) => prompt.secret('API key: '));
  if (key !== undefined) return key;
  const mode = live ? 'live' : 'test';
  return loginByBrowser(new Heliograph({ baseUrl }), { name: keyName(), mode, scopes }, browser, context.signal);
}

/** Only while something is asked for, because the prompt receives Ctrl-C instead of the process. */
async function prompted(ask: (prompt: Prompt) => Promise<string>): Promise<string> {
  const prompt = new Prompt();
  try {
    return await ask(prompt);
  } finally {
    prompt.close();
  }
}

/** Signs in and creates a key for this machine. The session ends afterwards. */
async function createKey(baseUrl: string, email: string, live: boolean, prompt: Prompt): Promise<string> {
  const anonymous = new Heliograph({ baseUrl });
  const password = await prompt.secret('Password: ');
  const tokens = await anonymous.auth.login({ email, password }).catch(async (error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'AUTH_MFA_REQUIRED') throw error;
    return anonymous.auth.login({ email, password, code: await prompt.text('Code of the authenticator app: ') });
  });
  const signedIn = new Heliograph({ apiKey: tokens.access_token, baseUrl, testMode: !live });
  const mode = live ? 'live' : 'test';
  const { key } = await signedIn.organization.apiKeys.create({ name: keyName(), mode });
  await anonymous.auth.logout({ refresh_token: tokens.refresh_token });
  return key;
}

/** Contains the time, because names of keys are unique. */
function keyName(): string {
  return `Command line on ${os.hostname()}, ${new Date().toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Asks on the terminal, or reads lines of the standard input. */
class Prompt {
  private isMuted = false;
  private readonly lines;
  private readonly answers;

  constructor() {
    const output = new Writable({
      write: (chunk: Buffer, _, done) => {
        if (!this.isMuted) process.stderr.write(chunk);
        done();
      },
    });
    this.lines = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY });
    this.answers = this.lines[Symbol.asyncIterator]();
  }

  async text(question: string): Promise<string> {
    if (process.stdin.isTTY) process.stderr.write(question);
    const { value, done } = (await this.answers.next()) as { value: string | undefined; done?: boolean };
    if (done || !value) throw new CommandError('There is no input.', EXIT.usage);
    return value;
  }

  /** Does not show what is typed. */
  async secret(question: string): Promise<string> {
    if (process.stdin.isTTY) process.stderr.write(question);
    this.isMuted = true;
    const { value } = (await this.answers.next()) as { value: string | undefined };
    this.isMuted = false;
    if (process.stdin.isTTY) process.stderr.write('\n');
    if (!value) throw new CommandError('There is no input.', EXIT.usage);
    return value;
  }

  close(): void {
    this.lines.close();
  }
}
