export { CachedLookup } from './cache/cached-lookup';
export { ChangeFeed, notifyChanges, type Change } from './cache/change-feed';
export { ChangeNotice } from './cache/change-notice';
export { connectionOptions, createDataSource, createPool, poolOf, type Entities } from './data-source';
export {
  APPEND,
  applyAccess,
  mayCreateRoles,
  MAINTAIN,
  READ,
  WRITE,
  type DatabaseAccess,
  type TableAccess,
} from './migrations/database-access';
export { registerPoolMetrics } from './observed-pool';
export { databaseConfigSchema, type DatabaseConfig } from './database.config';
export { DatabaseModule } from './database.module';
export { changeEntry, createEntry, given, putEntry, readEntry, readPage, removeEntry, type Changed } from './entries';
export { CommitPools, HASTY_COMMITS } from './commit/commit-pools';
export { GroupCommit, MAX_WAITING_SENDS } from './commit/group-commit';
export { oldestOfEachOrganization } from './oldest-of-each-organization';
export { inOrder } from './commit/in-order';
export { flushRows, LanedGroupCommit } from './commit/laned-group-commit';
export { retryWhileUnavailable } from './commit/retry-while-unavailable';
export { firstIdOf, isId, isTestId, newId, testIdOf, timeOfId } from './ids';
export { inIdRanges } from './partitions/id-ranges';
export { CONTENT_RETENTION_MS, ContentRetention } from './partitions/content-retention';
export { describeApplied, migrate } from './migrations/migrate';
export type { MigrationSet } from './migrations/migration-set';
export { partitionsMigrations } from './partitions/partitions-migrations';
export { messagingNow, messagingTimestampSql, toMessagingTimestamp } from './timestamps';
export { maintainWeeklyPartitions, PARTITION_MAINTENANCE_MS, type WeeklyTable } from './partitions/weekly-partitions';
export { clientOf, isUniqueViolation } from './transactions';
export { insertNew, saveUnlessTaken } from './unique-values';
export { inTransaction, rolledBack, type TransactionOptions } from './pool-transactions';
export { untilConnected, type ConnectAttempt } from './until-connected';
export { toPage, type Page, type PageOf } from './paging';
export { recordOf, selectList, type RecordColumns, type RecordRow } from './records';
