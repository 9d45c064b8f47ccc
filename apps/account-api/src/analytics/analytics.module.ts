import { Module } from '@nestjs/common';
import { AnalyticsLibraryModule } from '@heliograph/analytics-analytics';
import { TenancyModule } from '@heliograph/tenancy';
import { V1AnalyticsController } from './analytics.controller';
import { AnalyticsService } from './analytics.service';
import { BotCountsConsumer } from './bot-counts.consumer';
import { CreditCountsConsumer } from './credit-counts.consumer';
import { EmailCountsConsumer } from './email-counts.consumer';
import { MessageCountsConsumer } from './message-counts.consumer';

/** Maintains the rollups from the bus, and answers queries from them. */
@Module({
  imports: [AnalyticsLibraryModule, TenancyModule],
  controllers: [V1AnalyticsController],
  providers: [AnalyticsService, BotCountsConsumer, CreditCountsConsumer, EmailCountsConsumer, MessageCountsConsumer],
})
export class AnalyticsModule {}
