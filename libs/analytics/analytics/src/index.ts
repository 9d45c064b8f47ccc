export { AnalyticsLibraryModule } from './analytics.module';
export { blocksOf, ceil, floor, GRAINS, type Block, type Grain } from './blocks';
export { mergeInto, percentilesOf, type Histogram, type Percentiles } from './latency';
export { INTERVALS, isTimeZone, startOf, startOfNext, type Interval } from './local-time';
export { analyticsMigrations } from './migration-set';
export { rebuildAnalytics, type Rebuilt } from './rebuild';
export { RollupCounter } from './rollup-counter';
export { RollupsRepository, type Range, type Scope, type Series } from './rollups.repository';
export { DIMENSIONS, FIGURES, SOURCES, type Figure, type Figures, type Source } from './sources';
