export { ACTOR_KINDS, AuditEntry, type ActorKind } from './audit-entry.entity';
export { listWrites, recordWrite, type Actor, type AuditFilter, type Write } from './audit-log';
export { auditEntities, auditMigrations } from './migration-set';
