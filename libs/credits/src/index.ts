export { CreditAccount } from './account.entity';
export { balanceOf, post, reconcile, type LedgerDifference, type LedgerPosting, type PostingResult } from './ledger';
export { LedgerEntry, type LedgerKind } from './ledger-entry.entity';
export { creditsEntities, creditsMigrations } from './migration-set';
