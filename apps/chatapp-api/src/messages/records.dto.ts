import { ApiProperty } from '@nestjs/swagger';
import { CATEGORIES, type Category } from '@heliograph/chatapp-catalog';
import { isStorableText, rule } from '@heliograph/service-kit';
import { MESSAGE_TYPES } from './send-request.dto';

const TIMESTAMP = { type: String, nullable: true, example: '2026-11-20T10:12:28.123456' };
const STATUSES = ['accepted', 'sent', 'delivered', 'read', 'failed', 'received'];

/** The response of a send. The order of the properties is the order in the body. */
export class SendResponse {
  @ApiProperty()
  ok: boolean;
  @ApiProperty({ format: 'uuid', description: 'Id of the message. Use it to get the status' })
  id: string;
  @ApiProperty({ description: 'Id of the message that the provider assigned' })
  chatappMessageId: string;
  @ApiProperty()
  to: string;
  @ApiProperty({ enum: MESSAGE_TYPES })
  type: string;
  @ApiProperty({ enum: CATEGORIES })
  category: Category;
  @ApiProperty({ description: '`true` if a free allowance applied and nothing was charged' })
  free: boolean;
  @ApiProperty({ type: 'integer', description: 'Price in minor units of the currency' })
  price: number;
  @ApiProperty()
  currency: string;
  @ApiProperty()
  charged: boolean;
}

/** A message in the log. */
export class LogEntry {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ type: String, nullable: true })
  chatappMessageId: string | null;
  @ApiProperty({ enum: ['outbound', 'inbound'] })
  direction: string;
  @ApiProperty()
  to: string;
  @ApiProperty()
  from: string;
  @ApiProperty()
  type: string;
  @ApiProperty({ type: String, nullable: true })
  templateName: string | null;
  @ApiProperty({ enum: [...CATEGORIES, null], nullable: true, type: String })
  category: Category | null;
  @ApiProperty({ enum: STATUSES })
  status: string;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Price in minor units of the currency' })
  price: number | null;
  @ApiProperty({ type: String, nullable: true })
  currency: string | null;
  @ApiProperty({ ...TIMESTAMP, nullable: false })
  createdAt: string;
}

/** The status record of a message. */
export class StatusRecord extends LogEntry {
  @ApiProperty({ type: String, nullable: true })
  error: string | null;
  @ApiProperty({ description: '`true` if the price was charged and not refunded' })
  creditsCharged: boolean;
  @ApiProperty(TIMESTAMP)
  sentAt: string | null;
  @ApiProperty(TIMESTAMP)
  deliveredAt: string | null;
  @ApiProperty(TIMESTAMP)
  readAt: string | null;
  @ApiProperty(TIMESTAMP)
  failedAt: string | null;
}

export class MessageLog {
  @ApiProperty({ type: [LogEntry], description: 'The 200 most recent messages, newest first' })
  messages: LogEntry[];
}

export class AccountRecord {
  @ApiProperty({ description: 'True if sending is enabled' })
  enabled: boolean;
  @ApiProperty({ description: 'True if the business account is configured' })
  configured: boolean;
  @ApiProperty({ enum: ['platform'] })
  ownerType: 'platform';
  @ApiProperty({ enum: ['chatapp'] })
  creditType: 'chatapp';
  @ApiProperty({ format: 'uuid' })
  workspaceId: string;
  @ApiProperty({ type: 'integer' })
  balance: number;
}

export class Balance {
  @ApiProperty({ format: 'uuid' })
  workspaceId: string;
  @ApiProperty({ enum: ['chatapp'] })
  creditType: 'chatapp';
  @ApiProperty({ type: 'integer' })
  balance: number;
}

export class MarkReadRequest {
  @ApiProperty({ description: 'Id of an inbound message that the provider assigned (`chatappMessageId`)' })
  @rule(
    'isMessageId',
    'messageId must be the chatappMessageId of an inbound message.',
    (value) => isStorableText(value) && value !== '',
    'INVALID_REQUEST',
  )
  messageId: string;
}

export class Done {
  @ApiProperty()
  ok: boolean;
}
