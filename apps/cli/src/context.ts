import { Heliograph, modeOfKey } from '@heliograph/sdk';
import type { Command } from 'commander';
import type { Environment } from './cli.config';
import { readCredentials } from './credentials';
import { CommandError, EXIT } from './exit-codes';
import { Output } from './output';

interface GlobalOptions {
  json?: boolean;
  workspace?: string;
  baseUrl?: string;
}

/** What a command needs. */
export interface Context {
  environment: Environment;
  output: Output;
  /** Ends long-running commands at Ctrl-C. */
  signal: AbortSignal;
  options: GlobalOptions;
}

export function contextOf(command: Command, environment: Environment, signal: AbortSignal): Context {
  const options = command.optsWithGlobals<GlobalOptions>();
  return { environment, signal, options, output: new Output(options.json === true, environment.hasColors) };
}

export interface Connection {
  client: Heliograph;
  apiKey: string;
  baseUrl: string;
  /** The difference of the clock of the server to this one, after the first call. */
  clockSkewMs: () => number | null;
}

/** A client with the key of the environment, or with that of `login`. */
export async function connect({ environment, options }: Context): Promise<Connection> {
  const stored = await readCredentials(environment.folder);
  const apiKey = environment.apiKey ?? stored?.apiKey;
  if (apiKey === undefined) {
    throw new CommandError('There is no API key. Run `heliograph login`, or set HELIOGRAPH_API_KEY.', EXIT.credentials);
  }
  const baseUrl = options.baseUrl ?? environment.baseUrl ?? stored?.baseUrl ?? 'http://localhost:8080';
  const workspace = options.workspace ?? environment.workspace ?? stored?.workspace;
  let clockSkewMs: number | null = null;
  const send: typeof fetch = async (input, init) => {
    const startedAt = Date.now();
    const response = await fetch(input, init);
    const date = Date.parse(response.headers.get('Date') ?? '');
    // The header has seconds: its time is half a second later on average.
    if (!Number.isNaN(date)) clockSkewMs = date + 500 - (startedAt + Date.now()) / 2;
    return response;
  };
  const client = new Heliograph({ apiKey, baseUrl, fetch: send, ...(workspace === undefined ? {} : { workspace }) });
  return { client, apiKey, baseUrl, clockSkewMs: () => clockSkewMs };
}

export function describeMode(apiKey: string): string {
  const mode = modeOfKey(apiKey);
  return mode === null ? 'unknown mode' : `${mode} mode`;
}
