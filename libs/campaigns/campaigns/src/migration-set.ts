import type { MigrationSet } from '@heliograph/database';
import { Campaigns1700000000000 } from './migrations/1700000000000-campaigns';

/** All tables are hot tables without an entity. */
export const campaignsMigrations: MigrationSet = { schema: 'campaigns', migrations: [Campaigns1700000000000] };
