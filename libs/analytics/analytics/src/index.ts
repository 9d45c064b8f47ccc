export { AnalyticsLibraryModule } from './analytics.module';
export { ceil, floor } from './blocks';
export { mergeInto, percentilesOf, type Histogram } from './latency';
export { INTERVALS, isTimeZone, startOf, startOfNext, type Interval } from './local-time';
export { analyticsMigrations } from './migration-set';
export { rebuildAnalytics, type Rebuilt } from './rebuild';
export { RollupCounter } from './rollup-counter';
export { RollupsRepository, type Range, type Scope, type Series } from './rollups.repository';
export { DIMENSIONS, FIGURES, type Figures, type Source } from './sources';
