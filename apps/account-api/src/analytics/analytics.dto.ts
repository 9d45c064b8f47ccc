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
  @ApiProperty({ type: V1SmsCounts })
  sms: V1SmsCounts;
  @ApiProperty({ type: V1EmailFigures })
  email: V1EmailFigures;
  @ApiProperty({ type: V1ChatappFigures })
  chatapp: V1ChatappFigures;
  @ApiProperty({ type: V1BotFigures })
  bots: V1BotFigures;
  @ApiProperty({ type: V1CreditFigures })
  credits: V1CreditFigures;
}

export class V1OverviewPoint extends V1OverviewFigures {
  @ApiProperty(AT)
  at: string;
}

export class V1OverviewAnalytics extends V1AnalyticsRange {
  @ApiProperty({ type: V1OverviewFigures })
  totals: V1OverviewFigures;
  @ApiProperty({ type: [V1OverviewPoint] })
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
  @ApiProperty({ type: V1SmsFigures })
  totals: V1SmsFigures;
  @ApiProperty({ type: [V1SmsPoint] })
  series: V1SmsPoint[];
  @ApiProperty({ type: [V1SmsGroup], required: false, description: GROUPS })
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
  @ApiProperty({ type: V1EmailFigures })
  totals: V1EmailFigures;
  @ApiProperty({ type: [V1EmailPoint] })
  series: V1EmailPoint[];
  @ApiProperty({ type: [V1EmailGroup], required: false, description: GROUPS })
  groups?: V1EmailGroup[];
}
