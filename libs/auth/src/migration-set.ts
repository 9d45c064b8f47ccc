import type { MigrationSet } from '@heliograph/database';
import { ApiKey, ApiKeyUse } from './api-key.entity';
import { ApiKeys1700000000000 } from './migrations/1700000000000-api-keys';
import { KeyRotation1700000000001 } from './migrations/1700000000001-key-rotation';

/** Needs the messaging schema: a revoked key is told of on the bus. */
export const authMigrations: MigrationSet = {
  schema: 'auth',
  migrations: [ApiKeys1700000000000, KeyRotation1700000000001],
};
export const authEntities = [ApiKey, ApiKeyUse];
