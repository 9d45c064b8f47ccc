import { execFile } from 'node:child_process';
import path from 'node:path';
import { format } from 'node:util';
import { until } from '@heliograph/testing';
import { Client } from 'pg';
import { runCommand } from './run-command';

/** Must be shorter than 10 s: after this time, an open pool closes its idle connections, and the check would pass. */
const CLOSE_TIMEOUT_MS = 5_000;
const script = path.resolve(__dirname, '../../ops.mjs');

export interface Outcome {
  code: unknown;
  lines: string[];
  errors: string;
}

type Environment = Record<string, string>;

const environmentOf = (databaseUrl: string, additional: Environment): Environment => ({
  DATABASE_URL: databaseUrl,
  AMQP_URL: '',
  PERSON_HASH_KEYS: 'k'.repeat(32),
  ...additional,
});

/** Runs a command as `npm run ops` does, in a process of its own. Loading its modules takes a second of processor time. */
export function opsProcess(databaseUrl: string, args: readonly string[], additional: Environment = {}) {
  const env = { ...process.env, ...environmentOf(databaseUrl, additional) };
  return new Promise<Outcome>((resolve) => {
    execFile(process.execPath, [script, ...args], { env }, (error, stdout, errors) =>
      resolve({ code: error ? error.code : 0, lines: stdout.trim().split('\n'), errors }),
    );
  });
}

/** Runs a command in this process. Fails if the command leaves a connection to the database open. */
export async function ops(databaseUrl: string, args: readonly string[], additional: Environment = {}) {
  const before = process.env;
  process.env = { ...before, ...environmentOf(databaseUrl, additional) };
  const log = jest.spyOn(console, 'log').mockReturnValue();
  const error = jest.spyOn(console, 'error').mockReturnValue();
  const printedTo = ({ mock }: typeof log): string => mock.calls.map((call) => format(...call)).join('\n');
  let outcome: Outcome;
  try {
    const code = await runCommand(args);
    outcome = { code, lines: printedTo(log).split('\n'), errors: printedTo(error) };
  } finally {
    process.env = before;
    log.mockRestore();
    error.mockRestore();
  }
  await expectNoConnections(databaseUrl);
  return outcome;
}

/** Waits until the server has closed the connections, because `end` of a pool does not wait for the server. */
async function expectNoConnections(databaseUrl: string): Promise<void> {
  const { pathname } = new URL(databaseUrl);
  const client = new Client({ connectionString: Object.assign(new URL(databaseUrl), { pathname: '/postgres' }).href });
  await client.connect();
  try {
    const isClosed = async (): Promise<boolean> => {
      const { rowCount } = await client.query(
        `SELECT FROM pg_stat_activity WHERE datname = $1 AND application_name LIKE 'ops %'`,
        [pathname.slice(1)],
      );
      return rowCount === 0;
    };
    await until('the command has closed its connections', isClosed, { timeoutMs: CLOSE_TIMEOUT_MS });
  } finally {
    await client.end();
  }
}
