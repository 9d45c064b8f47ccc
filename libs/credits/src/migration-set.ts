import type { MigrationSet } from '@heliograph/database';
import { CreditAccount } from './account.entity';
import { LedgerEntry } from './ledger-entry.entity';
import { Ledger1700000000000 } from './migrations/1700000000000-ledger';

/** Needs the messaging schema: its movements put events into the outbox. */
export const creditsMigrations: MigrationSet = { schema: 'credits', migrations: [Ledger1700000000000] };
export const creditsEntities = [CreditAccount, LedgerEntry];
