import { Module } from '@nestjs/common';
import { AnalyticsModule } from './analytics/analytics.module';
import { ReportsModule } from './reports/reports.module';
import { TimelineModule } from './timeline/timeline.module';

/** Analytics, reports and timelines. */
@Module({ imports: [TimelineModule, AnalyticsModule, ReportsModule] })
export class InsightModule {}
