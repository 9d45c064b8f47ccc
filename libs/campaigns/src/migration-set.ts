import type { MigrationSet } from '@heliograph/database';
import { Campaigns1700000000000 } from './migrations/1700000000000-campaigns';
import { CampaignSweeps1700000000003 } from './migrations/1700000000003-campaign-sweeps';
import { CampaignsByOrganization1700000000332 } from './migrations/1700000000332-campaigns-by-organization';
import advanceClock from './sql/advance-clock.sql';
import isStopped from './sql/is-stopped.sql';

/** All tables are hot tables without an entity. */
export const campaignsMigrations: MigrationSet = {
  schema: 'campaigns',
  migrations: [Campaigns1700000000000, CampaignSweeps1700000000003, CampaignsByOrganization1700000000332],
  repeatable: [
    { name: 'advance-clock', sql: advanceClock },
    { name: 'is-stopped', sql: isStopped },
  ],
};
