import type { Timestamp, Uuid } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { DIMENSIONS, INTERVALS, isTimeZone } from '@heliograph/analytics';
import { IsInstant, IsOneOf, rule, V1Request, IsWorkspaceId } from '@heliograph/service-kit';
import { IsOptional } from 'class-validator';

/** The time range, interval and workspace of an analytics query. */
@V1Request()
export class V1AnalyticsQuery {
  /** Start of the time range (inclusive), rounded down to a quarter of an hour. The default is 30 days before `until`. */
  @IsOptional()
  @IsInstant('from')
  from?: Timestamp;

  /** End of the time range (exclusive), rounded up to a quarter of an hour. The default is the current time. */
  @IsOptional()
  @IsInstant('until')
  until?: Timestamp;

  /**
   * Length of the intervals in the time series.
   * @default day
   */
  @IsOptional()
  @IsOneOf('interval', INTERVALS)
  interval?: (typeof INTERVALS)[number];

  /**
   * IANA time zone. Days and months begin at midnight in this time zone.
   * @example Asia/Kolkata
   * @default UTC
   */
  @IsOptional()
  @rule('isTimeZone', 'time_zone must be the name of an IANA time zone such as Asia/Kolkata.', isTimeZone)
  time_zone?: string;

  /** Restricts the results to this workspace. The default is the whole organization. */
  @IsOptional()
  @IsWorkspaceId()
  workspace_id?: Uuid;
}

@V1Request()
export class V1SmsAnalyticsQuery extends V1AnalyticsQuery {
  @ApiProperty({ enum: DIMENSIONS.sms })
  @IsOptional()
  @IsOneOf('group_by', DIMENSIONS.sms)
  group_by?: (typeof DIMENSIONS.sms)[number];
}

@V1Request()
export class V1EmailAnalyticsQuery extends V1AnalyticsQuery {
  @ApiProperty({ enum: DIMENSIONS.email })
  @IsOptional()
  @IsOneOf('group_by', DIMENSIONS.email)
  group_by?: (typeof DIMENSIONS.email)[number];
}
