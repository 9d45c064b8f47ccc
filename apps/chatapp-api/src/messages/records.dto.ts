import type { Integer, Uuid } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { CATEGORIES, type Category } from '@heliograph/chatapp-catalog';
import { isStorableText, rule } from '@heliograph/service-kit';
import { MESSAGE_TYPES } from './send-request.dto';
const STATUSES = ['accepted', 'sent', 'delivered', 'read', 'failed', 'received'];

/** The response of a send. The order of the properties is the order in the body. */
export class SendResponse {
  ok: boolean;
  /** Id of the message. Use it to get the status. */
  id: Uuid;
  /** Id of the message that the provider assigned. */
  chatappMessageId: string;
  to: string;
  @ApiProperty({ enum: MESSAGE_TYPES })
  type: string;
  category: (typeof CATEGORIES)[number];
  /** `true` if a free allowance applied and nothing was charged. */
  free: boolean;
  /** Price in minor units of the currency. */
  price: Integer;
  currency: string;
  charged: boolean;
}

/** A message in the log. */
export class LogEntry {
  id: Uuid;
  chatappMessageId: string | null;
  @ApiProperty({ enum: ['outbound', 'inbound'] })
  direction: string;
  to: string;
  from: string;
  type: string;
  templateName: string | null;
  @ApiProperty({ enum: [...CATEGORIES, null], type: String })
  category: Category | null;
  @ApiProperty({ enum: STATUSES })
  status: string;
  /** Price in minor units of the currency. */
  price: Integer | null;
  currency: string | null;
  /** @example 2026-11-20T10:12:28.123456 */
  createdAt: string;
}

/** The status record of a message. */
export class StatusRecord extends LogEntry {
  error: string | null;
  /** `true` if the price was charged and not refunded. */
  creditsCharged: boolean;
  /** @example 2026-11-20T10:12:28.123456 */
  sentAt: string | null;
  /** @example 2026-11-20T10:12:28.123456 */
  deliveredAt: string | null;
  /** @example 2026-11-20T10:12:28.123456 */
  readAt: string | null;
  /** @example 2026-11-20T10:12:28.123456 */
  failedAt: string | null;
}

export class MessageLog {
  /** The 200 most recent messages, newest first. */
  messages: LogEntry[];
}

export class AccountRecord {
  /** True if sending is enabled. */
  enabled: boolean;
  /** True if the business account is configured. */
  configured: boolean;
  ownerType: 'platform';
  creditType: 'chatapp';
  workspaceId: Uuid;
  balance: Integer;
}

export class Balance {
  workspaceId: Uuid;
  creditType: 'chatapp';
  balance: Integer;
}

export class MarkReadRequest {
  /** Id of an inbound message that the provider assigned (`chatappMessageId`). */
  @rule(
    'isMessageId',
    'messageId must be the chatappMessageId of an inbound message.',
    (value) => isStorableText(value) && value !== '',
    'INVALID_REQUEST',
  )
  messageId: string;
}

export class Done {
  ok: boolean;
}
