export { AuditedKind, targetOf, type AuditTarget } from './audited-kind';
export { excerptOf } from './excerpt';
export { UnitOfWorkModule } from './unit-of-work.module';
export {
  UnitOfWork,
  type NewObject,
  type RecordChange,
  type UnitOfWorkContext,
  type Write,
} from './unit-of-work.service';
