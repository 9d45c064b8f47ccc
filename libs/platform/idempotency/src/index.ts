export { answerOnce, claimAnswer, keepAnswer } from './claimed-answer';
export { fingerprint } from './idempotency-key';
export { claimOf, IdempotencyClaim, Idempotent, type IdempotentOptions } from './idempotent.decorator';
export { AlreadyClaimedError } from './already-claimed.error';
export type { IdempotentCall, StreamedCall } from './idempotent-call';
export { IdempotencyModule } from './idempotency.module';
export { IdempotencyService, type PendingAnswers } from './idempotency.service';
export { idempotencyMigrations } from './migration-set';
