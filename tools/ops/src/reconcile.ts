import { findBrokenEntries, reconcile } from '@heliograph/credits';
import { databaseConfigSchema } from '@heliograph/database';
import { loadConfig } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { UsageError } from './usage-error';

/** The command reads the whole ledger. */
const STATEMENT_TIMEOUT_MS = 600_000;

/**
 * Compares every balance with the sum of its ledger entries, and every entry with its predecessor. Prints the
 * differences and a summary; resolves with true if there is no difference. Does not require a pause of the services.
 */
export async function reconcileLedger(args: readonly string[]): Promise<boolean> {
  if (args.length > 0) throw new UsageError('reconcile takes no arguments.');
  const settings = loadConfig(databaseConfigSchema, process.env);
  const pool = new Pool({
    connectionString: settings.DATABASE_URL,
    application_name: 'ops reconcile',
    statement_timeout: STATEMENT_TIMEOUT_MS,
  });
  try {
    const differences = await findDifferences(pool);
    for (const difference of differences) console.log(difference);
    console.log(`${await ledgerSize(pool)}: ${countOf(differences.length)}`);
    return differences.length === 0;
  } finally {
    await pool.end();
  }
}

async function findDifferences(pool: Pool): Promise<string[]> {
  return [
    ...(await reconcile(pool)).map(
      ({ workspaceId, creditType, balance, ledgerSum }) =>
        `workspace ${workspaceId}, ${creditType}: the balance is ${balance}, the ledger sum is ${ledgerSum}`,
    ),
    ...(await findBrokenEntries(pool)).map(
      ({ workspaceId, creditType, entryId, reference, balanceAfter, expectedBalance }) =>
        `workspace ${workspaceId}, ${creditType}: entry ${entryId} (${reference}) has balance_after ${balanceAfter}, ` +
        `expected ${expectedBalance}`,
    ),
  ];
}

async function ledgerSize(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ size: string }>(
    `SELECT (SELECT count(*) FROM credits.accounts) || ' accounts, ' || (SELECT count(*) FROM credits.ledger) || ' ledger entries' AS size`,
  );
  return rows[0]?.size ?? '';
}

function countOf(differences: number): string {
  if (differences === 0) return 'no differences';
  return differences === 1 ? '1 difference' : `${differences} differences`;
}
