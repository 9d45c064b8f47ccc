import type { MigrationSet } from '@heliograph/database';
import { CreditAccount } from './account.entity';
import { LedgerEntry } from './ledger-entry.entity';
import { Ledger1700000000000 } from './migrations/1700000000000-ledger';
import { ThresholdsAndPositions1700000000001 } from './migrations/1700000000001-thresholds-and-positions';

/** Needs the messaging schema: its movements put events into the outbox. */
export const creditsMigrations: MigrationSet = {
  schema: 'credits',
  migrations: [Ledger1700000000000, ThresholdsAndPositions1700000000001],
};
export const creditsEntities = [CreditAccount, LedgerEntry];
