import type { MigrationSet } from '@heliograph/database';
import { ApiKey, ApiKeyUse } from './api-key.entity';
import { ApiKeys1700000000000 } from './migrations/1700000000000-api-keys';

/** Requires the messaging schema, because revocations publish events. */
export const authMigrations: MigrationSet = {
  schema: 'auth',
  migrations: [ApiKeys1700000000000],
};
export const authEntities = [ApiKey, ApiKeyUse];
