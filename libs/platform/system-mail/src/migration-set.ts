import type { MigrationSet } from '@heliograph/database';
import { SystemMail1700000000000 } from './migrations/1700000000000-system-mail';

export const systemMailMigrations: MigrationSet = { schema: 'system_mail', migrations: [SystemMail1700000000000] };
