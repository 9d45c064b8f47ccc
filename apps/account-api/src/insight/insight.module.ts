import { Module } from '@nestjs/common';
import { AnalyticsModule } from './analytics/analytics.module';
import { MessageLogModule } from './message-log/message-log.module';
import { ReportsModule } from './reports/reports.module';
import { TimelineModule } from './timeline/timeline.module';

/** The message log, timelines, analytics and reports. */
@Module({ imports: [MessageLogModule, TimelineModule, AnalyticsModule, ReportsModule] })
export class InsightModule {}
