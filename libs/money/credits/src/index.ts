export { MAX_AMOUNT, MAX_BALANCE } from './amounts';
export { balanceOf, balancesOf, lockedBalanceOf, setLowThreshold, type Balance } from './balances';
export { exportEntries, listEntries, type LedgerEntryRow, type LedgerFilter, type LedgerPage } from './entries';
export { LEDGER_KINDS, post, type LedgerKind, type LedgerPosting, type PostingResult } from './ledger';
export { creditsMigrations } from './migration-set';
export {
  adjust,
  topUp,
  transfer,
  type Movement,
  type TopUpResult,
  type Transfer,
  type TransferResult,
} from './movements';
export { findBrokenEntries, reconcile, type BrokenEntry, type LedgerDifference } from './reconcile';
