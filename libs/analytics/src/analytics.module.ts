import { Module } from '@nestjs/common';
import { CountedRetention } from './counted-retention';
import { RollupCounter } from './rollup-counter';
import { RollupsRepository } from './rollups.repository';

@Module({
  providers: [CountedRetention, RollupCounter, RollupsRepository],
  exports: [RollupCounter, RollupsRepository],
})
export class AnalyticsLibraryModule {}
