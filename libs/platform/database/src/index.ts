export { CachedLookup } from './cached-lookup';
export { CHANGE_CHANNEL, ChangeFeed, notifyChanges, type Change } from './change-feed';
export { ChangeNotice } from './change-notice';
export { createDataSource, createPool, poolOf, type Entities } from './data-source';
export {
  APPEND,
  applyAccess,
  mayCreateRoles,
  MAINTAIN,
  READ,
  WRITE,
  type DatabaseAccess,
  type TablePrivilege,
} from './database-access';
export { databaseConfigSchema, type DatabaseConfig } from './database.config';
export { DatabaseModule } from './database.module';
export { changeEntry, createEntry, given, putEntry, readEntry, readPage, removeEntry, type Changed } from './entries';
export { GroupCommit } from './group-commit';
export { inOrder } from './in-order';
export { flushRows, LanedGroupCommit } from './laned-group-commit';
export { retryWhileUnavailable } from './retry-while-unavailable';
export { firstIdOf, isId, newId } from './ids';
export { inIdRanges } from './id-ranges';
export { CONTENT_RETENTION_MS, ContentRetention } from './content-retention';
export { describeApplied, migrate, type MigrationSet } from './migrate';
export { partitionsMigrations } from './partitions-migrations';
export { messagingNow, messagingTimestampSql, toMessagingTimestamp } from './timestamps';
export { maintainWeeklyPartitions, PARTITION_MAINTENANCE_MS, type WeeklyTable } from './weekly-partitions';
export { clientOf, isUniqueViolation } from './transactions';
export { rolledBack } from './rolled-back';
export { toPage, type Page, type PageOf } from './paging';
