import { Module } from '@nestjs/common';
import { AnalyticsLibraryModule } from '@heliograph/analytics';
import { TenancyModule } from '@heliograph/tenancy';
import { AnalyticsConsumer } from './analytics.consumer';
import { V1AnalyticsController } from './analytics.controller';
import { AnalyticsService } from './analytics.service';

/** Counts events of the bus in rollups, and reads the rollups for queries. */
@Module({
  imports: [AnalyticsLibraryModule, TenancyModule],
  controllers: [V1AnalyticsController],
  providers: [AnalyticsConsumer, AnalyticsService],
})
export class AnalyticsModule {}
