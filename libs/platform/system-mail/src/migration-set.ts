import type { MigrationSet } from '@heliograph/database';
import { SystemMail1700000000000 } from './migrations/1700000000000-system-mail';

import { StoredRequests1700000000101 } from './migrations/1700000000101-stored-requests';
import requeue from './sql/requeue.sql';

export const systemMailMigrations: MigrationSet = {
  schema: 'system_mail',
  migrations: [SystemMail1700000000000, StoredRequests1700000000101],
  repeatable: [{ name: 'requeue', sql: requeue }],
};
