export { tenancyEntities, tenancyMigrations } from './migration-set';
export { Organization } from './organization.entity';
export { TenancyModule } from './tenancy.module';
export { checkDisplayName, SLUG } from './tenancy-rules';
export { TenancyService, type Changed, type OrganizationDetails, type WorkspaceDetails } from './tenancy.service';
export { WorkspaceDirectory, type WorkspaceOwner } from './workspace-directory';
export { Workspace, WORKSPACE_STATUSES, type WorkspaceStatus } from './workspace.entity';
export { actorOf } from './audit/actor';
export { ACTOR_KINDS, AuditEntry, type ActorKind } from './audit/audit-entry.entity';
export { listWrites, recordWrite, type Actor, type AuditedWrite } from './audit/audit-log';
export { deleteEntriesBefore, eraseFromAuditLog } from './audit/retention';
export { auditEntities, auditMigrations } from './audit/migration-set';
export type { LimitedKind } from './limits/limited-kind';
export { limitsConfig, type LimitsConfig } from './limits/limits.config';
export { OrganizationLimits } from './limits/organization-limits';
export { OrganizationQuota } from './limits/organization-quota';
export { ErasedPersons } from './persons/erased-persons';
export { Erasures, type BlockedChannel, type ErasedPerson, type Erasure } from './persons/erasures';
export { personsMigrations } from './persons/migration-set';
export {
  PERSON_ADDRESS_KINDS,
  readPersonAddress,
  type PersonAddress,
  type PersonAddressKind,
} from './persons/person-hash';
export { personsConfig } from './persons/persons.config';
export { PersonsModule } from './persons/persons.module';
export { AuditedKind, targetOf, type AuditTarget } from './unit-of-work/audited-kind';
export { excerptOf } from './unit-of-work/excerpt';
export { UnitOfWorkModule } from './unit-of-work/unit-of-work.module';
export {
  UnitOfWork,
  type NewObject,
  type RecordChange,
  type UnitOfWorkContext,
  type Write,
} from './unit-of-work/unit-of-work.service';
