import { findBrokenEntries, reconcile } from '@heliograph/credits';
import type { Pool } from 'pg';

export interface LedgerReport {
  /** One for each difference; none when all agree. */
  differences: string[];
  summary: string;
}

/** Recomputes every balance, and follows every account from entry to entry; needs no pause of what moves credits. */
export async function reportLedger(pool: Pool): Promise<LedgerReport> {
  const differences = [
    ...(await reconcile(pool)).map(
      ({ workspaceId, creditType, balance, ledgerSum }) =>
        `workspace ${workspaceId}, ${creditType}: the balance is ${balance}, the ledger's sum ${ledgerSum}`,
    ),
    ...(await findBrokenEntries(pool)).map(
      ({ workspaceId, creditType, entryId, reference, balanceAfter, expectedBalance }) =>
        `workspace ${workspaceId}, ${creditType}: entry ${entryId} (${reference}) says it left ${balanceAfter}, ` +
        `from the entry before it follows ${expectedBalance}`,
    ),
  ];
  const { rows } = await pool.query<{ accounts: number; entries: number }>(
    `SELECT (SELECT count(*) FROM credits.accounts) AS accounts, (SELECT count(*) FROM credits.ledger) AS entries`,
  );
  const size = `${rows[0]?.accounts ?? 0} accounts, ${rows[0]?.entries ?? 0} ledger entries`;
  const { length } = differences;
  const found = length === 0 ? 'no difference' : length === 1 ? '1 difference' : `${length} differences`;
  return { differences, summary: `${size}: ${found}` };
}
