import type { MigrationSet } from '@heliograph/database';
import { Ledger1700000000000 } from './migrations/1700000000000-ledger';
import { LotEntries1700000000104 } from './migrations/1700000000104-lot-entries';
import post from './sql/post.sql';

/** Requires the messaging schema, because ledger entries add events to the outbox. */
export const creditsMigrations: MigrationSet = {
  schema: 'credits',
  migrations: [Ledger1700000000000, LotEntries1700000000104],
  repeatable: [{ name: 'post', sql: post }],
};
