import type { MigrationSet } from '@heliograph/database';
import { ApiKey, ApiKeyUse } from './api-key.entity';
import { DeviceLogin } from './device-logins/device-login.entity';
import { ApiKeys1700000000000 } from './migrations/1700000000000-api-keys';
import { Requests1700000000101 } from './migrations/1700000000101-requests';
import { DeviceLogins1700000000801 } from './migrations/1700000000801-device-logins';
import advanceClock from './sql/advance-clock.sql';
import summarizeRequests from './sql/summarize-requests.sql';

/** Requires the messaging schema, because revocations publish events. */
export const authMigrations: MigrationSet = {
  schema: 'auth',
  migrations: [ApiKeys1700000000000, Requests1700000000101, DeviceLogins1700000000801],
  repeatable: [
    { name: 'advance-clock', sql: advanceClock },
    { name: 'summarize-requests', sql: summarizeRequests },
  ],
};
export const authEntities = [ApiKey, ApiKeyUse, DeviceLogin];
