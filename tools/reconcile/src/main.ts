import 'reflect-metadata';
import { createDataSource, databaseSettings, poolOf } from '@heliograph/database';
import { loadSettings } from '@heliograph/platform';
import { environment } from './environment.config';
import { reportLedger } from './ledger-report';

/** It reads the whole ledger. */
const STATEMENT_TIMEOUT_MS = 600_000;

/** Compares every balance with the ledger; answers whether all agree. Needs DATABASE_URL. */
async function main(): Promise<boolean> {
  const settings = loadSettings(databaseSettings, {
    DATABASE_STATEMENT_TIMEOUT_MS: String(STATEMENT_TIMEOUT_MS),
    ...environment(),
  });
  const dataSource = await createDataSource(settings, 'reconcile', []).initialize();
  try {
    const { differences, summary } = await reportLedger(poolOf(dataSource));
    for (const difference of differences) console.log(difference);
    console.log(summary);
    return differences.length === 0;
  } finally {
    await dataSource.destroy();
  }
}

main().then(
  (agrees) => process.exit(agrees ? 0 : 1),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    // Not 1: whether there is a difference is unknown.
    process.exit(2);
  },
);
