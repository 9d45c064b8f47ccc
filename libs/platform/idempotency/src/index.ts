export { answerOnce, claimAnswer, keepAnswer } from './claimed-answer';
export { fingerprint } from './idempotency-key';
export { IdempotencyClaim, Idempotent } from './idempotent.decorator';
export { claimOf, type IdempotentOptions } from './idempotency.guard';
export { AlreadyClaimedError } from './already-claimed.error';
export type { Claim, ClaimName, StreamedClaim } from './claim';
export { IdempotencyModule } from './idempotency.module';
export { IdempotencyService, type PendingAnswers } from './idempotency.service';
export { idempotencyMigrations } from './migration-set';
