import path from 'node:path';
import { parseArgs } from 'node:util';
import { SERVICES } from './routes';

export const RETURN_PORT_OFFSET = 8;
/** The demo site with the bot. */
export const DEMO_PORT_OFFSET = 9;
export const CONTROL_PORT_OFFSET = 10;

export interface StackOptions {
  /** The port of the gateway; the ports of the services follow. */
  port: number;
  dataDir: string;
  provisioningFile: string;
  /** Undefined for the embedded database. */
  databaseUrl: string | undefined;
  keyPrefix: string;
  reset: boolean;
  /** Undefined: info and above to the files, warnings also to the terminal. */
  logLevel: string | undefined;
  /** The variables of the environment that are not empty. */
  given: Readonly<Record<string, string>>;
  /** The variables that are set to an empty value, which disables some of them. */
  emptied: ReadonlySet<string>;
  /** Whether npm started this process. */
  startedByNpm: boolean;
}

/** An error that the user can fix; its message says how. */
export class UsageError extends Error {}

/** Reads the environment and the command line. Throws a UsageError. */
export function readStackOptions(root: string, args: readonly string[]): StackOptions {
  const given = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  const emptied = new Set(Object.keys(process.env).filter((name) => process.env[name] === ''));
  // Paths are relative to the user's working directory; npm changes into the repository first.
  const here = given['INIT_CWD'] ?? process.cwd();
  return {
    port: readPort(given['PORT']),
    dataDir: given['DATA_DIR'] ? path.resolve(here, given['DATA_DIR']) : path.join(root, '.data'),
    provisioningFile: given['PROVISION']
      ? path.resolve(here, given['PROVISION'])
      : path.join(root, 'tools/local-stack/demo.yaml'),
    databaseUrl: given['DATABASE_URL'],
    keyPrefix: given['KEY_PREFIX'] ?? 'msg',
    reset: readReset(args),
    logLevel: given['LOG_LEVEL'],
    given,
    emptied,
    startedByNpm: given['npm_lifecycle_event'] !== undefined,
  };
}

function readPort(text = '8080'): number {
  const port = Number(text);
  const highest = 65_535 - CONTROL_PORT_OFFSET;
  if (/^\d+$/.test(text) && port >= 1 && port <= highest) return port;
  throw new UsageError(
    `PORT is "${text}". It must be 1 to ${highest}: the ports after it are used by ${SERVICES.length} services and other parts.`,
  );
}

function readReset(args: readonly string[]): boolean {
  try {
    return parseArgs({ args: [...args], options: { reset: { type: 'boolean', default: false } } }).values.reset;
  } catch {
    throw new UsageError('usage: npm start [-- --reset]');
  }
}
