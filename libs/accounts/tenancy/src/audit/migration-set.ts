import type { MigrationSet } from '@heliograph/database';
import { AuditEntry } from './audit-entry.entity';
import { AuditLog1700000000000 } from './migrations/1700000000000-audit-log';

export const auditMigrations: MigrationSet = { schema: 'audit', migrations: [AuditLog1700000000000] };
export const auditEntities = [AuditEntry];
