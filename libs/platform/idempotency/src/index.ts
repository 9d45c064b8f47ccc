export { respondOnce, claimResponse, storeResponse } from './claimed-response';
export { fingerprint } from './idempotency-key';
export { IdempotencyClaim, Idempotent } from './idempotent.decorator';
export { claimOf, type IdempotentOptions } from './idempotency.guard';
export { AlreadyClaimedError } from './already-claimed.error';
export type { Claim, ClaimName, StreamedClaim } from './claim';
export { IdempotencyModule } from './idempotency.module';
export { IdempotencyService, type PendingResponses } from './idempotency.service';
export { idempotencyMigrations } from './migration-set';
