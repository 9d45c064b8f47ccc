import { parseArgs } from 'node:util';
import { rebuildAnalytics } from '@heliograph/analytics';
import { databaseConfigSchema } from '@heliograph/database';
import { loadConfig, parseScheduledAt } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { UsageError } from './usage-error';

/** Statement time-out: comparing the rollups of a month reads everything that was counted in it. */
const STATEMENT_TIMEOUT_MS = 3_600_000;

/**
 * Counts a range of the analytics again from the tables of the messages, and corrects the rollups. Prints the
 * differences; resolves with true if there are none. Does not require a pause of the services.
 */
export async function rebuildRange(args: readonly string[]): Promise<boolean> {
  const { since, before } = readRange(args);
  const settings = loadConfig(databaseConfigSchema, process.env);
  const pool = new Pool({
    connectionString: settings.DATABASE_URL,
    application_name: 'ops rebuild-analytics',
    statement_timeout: STATEMENT_TIMEOUT_MS,
  });
  try {
    const results = await rebuildAnalytics(pool, since, before);
    for (const { source, read, changed, repaired } of results) {
      console.log(`${source}: ${read} read, ${changed} not up to date, ${repaired} rollups corrected`);
    }
    return results.every(({ changed, repaired }) => changed + repaired === 0);
  } finally {
    await pool.end();
  }
}

function readRange(args: readonly string[]): { since: Date; before: Date } {
  const usage =
    'rebuild-analytics needs --from and --until, such as --from 2026-11-01T00:00:00Z --until 2026-12-01T00:00:00Z.';
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { from: { type: 'string' }, until: { type: 'string' } },
    });
    const [since, before] = [values.from, values.until].map((text) => (text === undefined ? null : parseTime(text)));
    if (since && before && since < before) return { since, before };
  } catch {
    // Reports the usage below.
  }
  throw new UsageError(usage);
}

/** A time, or midnight in UTC of a date. */
function parseTime(text: string): Date | null {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
  return parseScheduledAt(time)?.date ?? null;
}
