import { ApiProperty } from '@nestjs/swagger';
import { CATEGORIES, type Category } from '@heliograph/chatapp-catalog';
import { optionalTimestamp } from '../http/schemas';
import { IsNumber } from './number-rule';

const count = { type: 'integer', minimum: 0 } as const;

export class ChatappAllowanceUsage {
  @ApiProperty({ enum: CATEGORIES })
  category: Category;
  @ApiProperty({
    description: 'Whether messages inside an open conversation window are free while the limit is not reached',
  })
  isFree: boolean;
  @ApiProperty({ ...count, nullable: true, description: '`null` means unlimited' })
  monthlyLimit: number | null;
  @ApiProperty({ ...count, description: 'Messages counted against the limit; nothing is counted without a limit' })
  used: number;
  @ApiProperty({ ...count, nullable: true, description: '`null` means unlimited' })
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
  @ApiProperty({ description: 'Whether messages other than templates are allowed' })
  open: boolean;
  @ApiProperty({ ...optionalTimestamp, description: '`null` while the window is closed' })
  openUntil: string | null;
  @ApiProperty({ ...optionalTimestamp, description: '`null` while the window is closed' })
  lastInboundAt: string | null;
  @ApiProperty({ description: 'If `true`, no message may be sent to the number' })
  optedOut: boolean;
}

export class OneChatappWindow {
  @ApiProperty({ description: 'Shared by all organizations, because they send from the same number' })
  window: ChatappWindow;
}
