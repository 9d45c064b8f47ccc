import { parseArgs } from 'node:util';
import { databaseConfigSchema } from '@heliograph/database';
import { JOB_SOURCE_NAMES, requeueJobs, type JobSourceName } from '@heliograph/messaging';
import { loadConfig } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { UsageError } from './usage-error';

/** The candidates of one call are five times as many, which covers a whole piece. */
const BATCH = 20_000;
const DEFAULT_AGE = '1m';
const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** A piece of 50,000 messages can take longer than the statements of a service. */
const STATEMENT_TIMEOUT_MS = 600_000;

/**
 * Publishes jobs again that are due and unfinished. Safe while the services run: a job that is not lost has no second effect.
 * Prints the number of jobs of each channel.
 */
export async function requeue(args: readonly string[]): Promise<boolean> {
  const { channels, olderThanMs } = readOptions(args);
  const settings = loadConfig(databaseConfigSchema, process.env);
  const pool = new Pool({
    connectionString: settings.DATABASE_URL,
    application_name: 'ops requeue',
    statement_timeout: STATEMENT_TIMEOUT_MS,
  });
  try {
    for (const channel of channels) console.log(`${channel}: ${await requeueAll(pool, channel, olderThanMs)} requeued`);
    return true;
  } finally {
    await pool.end();
  }
}

async function requeueAll(pool: Pool, channel: JobSourceName, olderThanMs: number): Promise<number> {
  const { rows } = await pool.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const started = rows[0]?.now ?? new Date();
  let total = 0;
  for (let from: Date | null = null; ;) {
    const piece = await requeueJobs(pool, channel, { from, olderThanMs, started, most: BATCH });
    total += piece.requeued;
    // The same piece again, until it has no more jobs.
    if (piece.requeued > 0) continue;
    if (piece.nextAt === null) return total;
    from = piece.nextAt;
  }
}

function readOptions(args: readonly string[]): { channels: readonly JobSourceName[]; olderThanMs: number } {
  const { channel, 'older-than': age } = parseOptions(args);
  const [, amount, unit = ''] = /^(\d+)([smhd])$/.exec(age) ?? [];
  if (amount === undefined) throw new UsageError(`--older-than must be an age such as 30s, 5m, 2h or 1d, not ${age}.`);
  const unknown = channel.find((name) => !(JOB_SOURCE_NAMES as string[]).includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--channel must be one of ${JOB_SOURCE_NAMES.join(', ')}, not ${unknown}.`);
  const channels = JOB_SOURCE_NAMES.filter((name) => channel.length === 0 || channel.includes(name));
  return { channels, olderThanMs: Number(amount) * (UNITS_MS[unit] ?? 0) };
}

function parseOptions(args: readonly string[]): { channel: string[]; 'older-than': string } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        channel: { type: 'string', multiple: true, default: [] },
        'older-than': { type: 'string', default: DEFAULT_AGE },
      },
    });
    return values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
