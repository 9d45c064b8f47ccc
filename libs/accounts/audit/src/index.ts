export { actorOf } from './actor';
export { ACTOR_KINDS, AuditEntry, type ActorKind } from './audit-entry.entity';
export { listWrites, recordWrite, type Actor, type Write } from './audit-log';
export { deleteEntriesBefore, eraseFromAuditLog } from './retention';
export { auditEntities, auditMigrations } from './migration-set';
