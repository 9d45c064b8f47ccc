import { billingMigrations as billingTables } from '@heliograph/billing';
import type { MigrationSet } from '@heliograph/database';
import storeEvents from './receiving/sql/store-events.sql';

/** The migrations of the billing library and the SQL functions of this service. */
export const billingMigrations: MigrationSet = {
  ...billingTables,
  repeatable: [{ name: 'store-events', sql: storeEvents }],
};
