export { claimAnswer, keepAnswer } from './claimed-answer';
export { fingerprint, readIdempotencyKey } from './idempotency-key';
export { IdempotencyClaim, Idempotent } from './idempotent.decorator';
export { AlreadyClaimedError } from './already-claimed.error';
export { IdempotencyModule } from './idempotency.module';
export {
  IdempotencyService,
  type Answer,
  type ClaimedWork,
  type IdempotentCall,
  type StreamedCall,
} from './idempotency.service';
export { idempotencyEntities, idempotencyMigrations } from './migration-set';
