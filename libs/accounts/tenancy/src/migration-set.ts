import type { MigrationSet } from '@heliograph/database';
import { Organizations1700000000000 } from './migrations/1700000000000-organizations';
import { TestOrganizations1700000000400 } from './migrations/1700000000400-test-organizations';
import { TestClocks1700000000401 } from './migrations/1700000000401-test-clocks';
import advanceClock from './sql/advance-clock.sql';
import { Organization } from './organization.entity';
import { Workspace } from './workspace.entity';

export const tenancyMigrations: MigrationSet = {
  schema: 'tenancy',
  migrations: [Organizations1700000000000, TestOrganizations1700000000400, TestClocks1700000000401],
  repeatable: [{ name: 'advance-clock', sql: advanceClock }],
};
export const tenancyEntities = [Organization, Workspace];
