import { ApiProperty } from '@nestjs/swagger';
import { DIMENSIONS, INTERVALS, isTimeZone, type Interval } from '@heliograph/analytics-analytics';
import { IsInstant, IsOneOf, rule, V1Request, IsWorkspaceId } from '@heliograph/service-kit';
import { IsOptional } from 'class-validator';

/** The time range, interval and workspace of an analytics query. */
@V1Request()
export class V1AnalyticsQuery {
  @ApiProperty({
    required: false,
    format: 'date-time',
    description:
      'Start of the time range (inclusive), rounded down to a quarter of an hour. The default is 30 days before `until`',
  })
  @IsOptional()
  @IsInstant('from')
  from?: string;

  @ApiProperty({
    required: false,
    format: 'date-time',
    description:
      'End of the time range (exclusive), rounded up to a quarter of an hour. The default is the current time',
  })
  @IsOptional()
  @IsInstant('until')
  until?: string;

  @ApiProperty({
    required: false,
    enum: INTERVALS,
    default: 'day',
    description: 'Length of the intervals in the time series',
  })
  @IsOptional()
  @IsOneOf('interval', INTERVALS)
  interval?: Interval;

  @ApiProperty({
    required: false,
    default: 'UTC',
    example: 'Asia/Kolkata',
    description: 'IANA time zone. Days and months begin at midnight in this time zone',
  })
  @IsOptional()
  @rule('isTimeZone', 'time_zone must be the name of an IANA time zone such as Asia/Kolkata.', isTimeZone)
  time_zone?: string;

  @ApiProperty({
    required: false,
    format: 'uuid',
    description: 'Restricts the results to this workspace. The default is the whole organization',
  })
  @IsOptional()
  @IsWorkspaceId()
  workspace_id?: string;
}

@V1Request()
export class V1SmsAnalyticsQuery extends V1AnalyticsQuery {
  @ApiProperty({ required: false, enum: DIMENSIONS.sms })
  @IsOptional()
  @IsOneOf('group_by', DIMENSIONS.sms)
  group_by?: (typeof DIMENSIONS.sms)[number];
}

@V1Request()
export class V1EmailAnalyticsQuery extends V1AnalyticsQuery {
  @ApiProperty({ required: false, enum: DIMENSIONS.email })
  @IsOptional()
  @IsOneOf('group_by', DIMENSIONS.email)
  group_by?: (typeof DIMENSIONS.email)[number];
}
