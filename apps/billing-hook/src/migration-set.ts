import { billingMigrations as billingTables } from '@heliograph/billing';
import type { MigrationSet } from '@heliograph/database';
import requeueReceipts from './receipts/sql/requeue-receipts.sql';
import requeueEvents from './settling/sql/requeue-events.sql';
import storeEvents from './receiving/sql/store-events.sql';

/** The migrations of the billing library and the SQL functions of this service. */
export const billingMigrations: MigrationSet = {
  ...billingTables,
  repeatable: [
    { name: 'store-events', sql: storeEvents },
    { name: 'requeue-events', sql: requeueEvents },
    { name: 'requeue-receipts', sql: requeueReceipts },
  ],
};
