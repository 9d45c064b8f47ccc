import { ApiProperty } from '@nestjs/swagger';
import {
  V1AnalyticsRange,
  V1BotFigures,
  V1ChatappFigures,
  V1CreditFigures,
  V1EmailFigures,
  V1SmsCounts,
  V1SmsFigures,
} from './figures.dto';

const AT = {
  format: 'date-time',
  description: 'Start of the interval: the hour, day or month in the requested time zone',
} as const;
const GROUPS = 'Metrics by group, only present with `group_by`: at most 1,000 groups, largest group first';
const KEY = {
  type: String,
  nullable: true,
  description: 'Value of the property by which messages are grouped; `null` for messages without this property',
} as const;

export class V1OverviewFigures {
  sms: V1SmsCounts;
  email: V1EmailFigures;
  chatapp: V1ChatappFigures;
  bots: V1BotFigures;
  credits: V1CreditFigures;
}

export class V1OverviewPoint extends V1OverviewFigures {
  @ApiProperty(AT)
  at: string;
}

export class V1OverviewAnalytics extends V1AnalyticsRange {
  totals: V1OverviewFigures;
  series: V1OverviewPoint[];
}

export class V1SmsPoint extends V1SmsFigures {
  @ApiProperty(AT)
  at: string;
}

export class V1SmsGroup extends V1SmsFigures {
  @ApiProperty(KEY)
  key: string | null;
}

export class V1SmsAnalytics extends V1AnalyticsRange {
  totals: V1SmsFigures;
  series: V1SmsPoint[];
  @ApiProperty({ description: GROUPS })
  groups?: V1SmsGroup[];
}

export class V1EmailPoint extends V1EmailFigures {
  @ApiProperty(AT)
  at: string;
}

export class V1EmailGroup extends V1EmailFigures {
  @ApiProperty(KEY)
  key: string | null;
}

export class V1EmailAnalytics extends V1AnalyticsRange {
  totals: V1EmailFigures;
  series: V1EmailPoint[];
  @ApiProperty({ description: GROUPS })
  groups?: V1EmailGroup[];
}
