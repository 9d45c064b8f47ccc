export { MAX_AMOUNT } from './amounts';
export { balanceOf, balancesOf, lockedBalanceOf, setLowThreshold, type Balance } from './balances';
export { exportEntries, listEntries, type LedgerEntryRow, type LedgerFilter } from './entries';
export { LedgerDrift } from './ledger-drift';
export { LEDGER_KINDS, post, type LedgerKind, type LedgerPosting } from './ledger';
export { creditsMigrations } from './migration-set';
export { adjust, topUp, transfer } from './movements';
export { findPurchasedCredits, lockAccounts, type PurchasedCredits } from './purchased-credits';
export { findBrokenEntries, reconcile } from './reconcile';
export {
  quoteOf,
  REAL_SEND,
  SEND_CHECKS,
  V1Quote,
  type QuoteProgress,
  type QuotedSend,
  type SendProgress,
} from './quote/v1-quote';
export { LEDGER_ACCESS } from './database-access';
