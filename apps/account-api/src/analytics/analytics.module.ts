import { Module } from '@nestjs/common';
import { AnalyticsLibraryModule } from '@heliograph/analytics-analytics';
import { TenancyModule } from '@heliograph/tenancy';
import { V1AnalyticsController } from './analytics.controller';
import { AnalyticsService } from './analytics.service';
import { BotCountsConsumer } from './bot-counts.consumer';
import { CreditCountsConsumer } from './credit-counts.consumer';
import { EmailCountsConsumer } from './email-counts.consumer';
import { MessageCountsConsumer } from './message-counts.consumer';

/** Counts events of the bus in rollups, and reads the rollups for queries. */
@Module({
  imports: [AnalyticsLibraryModule, TenancyModule],
  controllers: [V1AnalyticsController],
  providers: [AnalyticsService, BotCountsConsumer, CreditCountsConsumer, EmailCountsConsumer, MessageCountsConsumer],
})
export class AnalyticsModule {}
