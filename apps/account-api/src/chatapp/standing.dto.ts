import { ApiProperty } from '@nestjs/swagger';
import { CATEGORIES, type Category } from '@heliograph/chatapp-catalog';
import { IsNumber } from './number-rule';

const count = { type: 'integer', minimum: 0 } as const;
const moment = { type: String, format: 'date-time', nullable: true } as const;

export class ChatappAllowanceStanding {
  @ApiProperty({ enum: CATEGORIES })
  category: Category;
  @ApiProperty({ description: 'Whether messages inside an open window are free, while there are some left' })
  isFree: boolean;
  @ApiProperty({ ...count, nullable: true, description: 'Null: any number' })
  monthlyLimit: number | null;
  @ApiProperty({ ...count, description: 'Of the limit; without one nothing is counted' })
  used: number;
  @ApiProperty({ ...count, nullable: true, description: 'Null: any number' })
  remaining: number | null;
  @ApiProperty({ example: '2026-11', description: 'The calendar month (UTC)' })
  month: string;
}

export class ChatappAllowanceStandings {
  @ApiProperty({ type: [ChatappAllowanceStanding] })
  allowances: ChatappAllowanceStanding[];
}

export class ChatappWindowQuery {
  @ApiProperty({ example: '+919811111111' })
  @IsNumber()
  number: string;
}

export class ChatappWindow {
  @ApiProperty({ example: '+919811111111' })
  number: string;
  @ApiProperty({ description: 'Whether anything but templates may be sent' })
  open: boolean;
  @ApiProperty({ ...moment, description: 'Null while it is closed' })
  openUntil: string | null;
  @ApiProperty({ ...moment, description: 'Null while the window is closed' })
  lastInboundAt: string | null;
  @ApiProperty({ description: 'Then nothing may be sent' })
  optedOut: boolean;
}

export class OneChatappWindow {
  @ApiProperty({ description: 'One for all organizations: they share the number that people write to' })
  window: ChatappWindow;
}
