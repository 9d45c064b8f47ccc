import { Controller, Get, Query } from '@nestjs/common';
import { RequireV1Permission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { V1Api } from '../../developer/reference/v1-api';
import { V1AnalyticsQuery, V1EmailAnalyticsQuery, V1SmsAnalyticsQuery } from './analytics-query.dto';
import { V1EmailAnalytics, V1OverviewAnalytics, V1SmsAnalytics } from './analytics.dto';
import { AnalyticsService } from './analytics.service';
import { V1Operation } from '@heliograph/service-kit';

const DESCRIPTION =
  'A message counts in the interval in which it was accepted, whenever it is delivered, opened or refunded. Figures are up to ' +
  'date within seconds. A range can have at most 1,100 days and 1,100 points.';

@V1Api('v1: analytics')
@Controller('api/v1/analytics')
export class V1AnalyticsController {
  constructor(private readonly analytics: AnalyticsService) {}

  @Get('overview')
  @RequireV1Permission('analytics:read', { boundKeys: true })
  @V1Operation({
    id: 'v1GetOverview',
    summary: 'Get the metrics of all channels',
    description: DESCRIPTION,
    response: V1OverviewAnalytics,
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  })
  overview(@CurrentCaller() caller: Caller, @Query() query: V1AnalyticsQuery): Promise<V1OverviewAnalytics> {
    return this.analytics.overview(caller, query);
  }

  @Get('sms')
  @RequireV1Permission('analytics:read', { boundKeys: true })
  @V1Operation({
    id: 'v1GetSmsAnalytics',
    summary: 'Get the metrics of SMS messages',
    description: DESCRIPTION,
    response: V1SmsAnalytics,
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  })
  sms(@CurrentCaller() caller: Caller, @Query() query: V1SmsAnalyticsQuery): Promise<V1SmsAnalytics> {
    return this.analytics.sms(caller, query);
  }

  @Get('email')
  @RequireV1Permission('analytics:read', { boundKeys: true })
  @V1Operation({
    id: 'v1GetEmailAnalytics',
    summary: 'Get the metrics of emails by recipient',
    description: DESCRIPTION,
    response: V1EmailAnalytics,
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  })
  email(@CurrentCaller() caller: Caller, @Query() query: V1EmailAnalyticsQuery): Promise<V1EmailAnalytics> {
    return this.analytics.email(caller, query);
  }
}
