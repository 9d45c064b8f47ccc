import { ApiProperty } from '@nestjs/swagger';
import { CATEGORIES, type Category } from '@heliograph/chatapp-catalog';
import { optionalTimestamp } from '../../http/schemas';
import { IsNumber } from '../number-rule';

const count = { type: 'integer', minimum: 0 } as const;

export class ChatappAllowanceUsage {
  @ApiProperty({ enum: CATEGORIES })
  category: Category;
  @ApiProperty({
    description: 'True if messages inside an open conversation window are free until the limit is reached',
  })
  isFree: boolean;
  @ApiProperty({ ...count, nullable: true, description: 'Number of free messages per month; `null` means unlimited' })
  monthlyLimit: number | null;
  @ApiProperty({ ...count, description: 'Number of messages that count towards the limit. It is 0 without a limit' })
  used: number;
  @ApiProperty({ ...count, nullable: true, description: 'Number of remaining free messages; `null` means unlimited' })
  remaining: number | null;
  @ApiProperty({ example: '2026-11', description: 'Calendar month (UTC)' })
  month: string;
}

export class ChatappAllowanceUsageList {
  @ApiProperty({ type: [ChatappAllowanceUsage] })
  allowances: ChatappAllowanceUsage[];
}

export class ChatappWindowQuery {
  @ApiProperty({ example: '+919811111111' })
  @IsNumber()
  number: string;
}

export class ChatappWindow {
  @ApiProperty({ example: '+919811111111' })
  number: string;
  @ApiProperty({ description: 'True while messages other than templates are allowed' })
  open: boolean;
  @ApiProperty({ ...optionalTimestamp, description: 'End of the window; `null` while the window is closed' })
  openUntil: string | null;
  @ApiProperty({
    ...optionalTimestamp,
    description: 'Time of the last inbound message; `null` while the window is closed',
  })
  lastInboundAt: string | null;
  @ApiProperty({ description: 'True if no message may be sent to the number' })
  optedOut: boolean;
}

export class OneChatappWindow {
  @ApiProperty({
    description: 'Conversation window. It is shared by all organizations, because they send from the same number',
  })
  window: ChatappWindow;
}
