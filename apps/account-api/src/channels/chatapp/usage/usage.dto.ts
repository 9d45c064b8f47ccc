import type { Timestamp } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { CATEGORIES } from '@heliograph/chatapp-catalog';
import { IsNumber } from '../number-rule';

const count = { type: 'integer', minimum: 0 } as const;

export class ChatappAllowanceUsage {
  category: (typeof CATEGORIES)[number];
  /** True if messages inside an open conversation window are free until the limit is reached. */
  isFree: boolean;
  @ApiProperty({ ...count, nullable: true, description: 'Number of free messages per month; `null` means unlimited' })
  monthlyLimit: number | null;
  @ApiProperty({ ...count, description: 'Number of messages that count towards the limit. It is 0 without a limit' })
  used: number;
  @ApiProperty({ ...count, nullable: true, description: 'Number of remaining free messages; `null` means unlimited' })
  remaining: number | null;
  /**
   * Calendar month (UTC).
   * @example 2026-11
   */
  month: string;
}

export class ChatappAllowanceUsageList {
  allowances: ChatappAllowanceUsage[];
}

export class ChatappWindowQuery {
  /** @example +919811111111 */
  @IsNumber()
  number: string;
}

export class ChatappWindow {
  /** @example +919811111111 */
  number: string;
  /** True while messages other than templates are allowed. */
  open: boolean;
  /** End of the window; `null` while the window is closed. */
  openUntil: Timestamp | null;
  /** Time of the last inbound message; `null` while the window is closed. */
  lastInboundAt: Timestamp | null;
  /** True if no message may be sent to the number. */
  optedOut: boolean;
}

export class OneChatappWindow {
  /** Conversation window. It is shared by all organizations, because they send from the same number. */
  window: ChatappWindow;
}
