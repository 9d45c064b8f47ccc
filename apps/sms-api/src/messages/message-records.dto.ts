import { ApiProperty } from '@nestjs/swagger';
import type { SmsEncoding } from '@heliograph/sms-text';

const STATUSES = ['scheduled', 'queued', 'sent', 'delivered', 'failed', 'canceled'] as const;
export type MessageStatus = (typeof STATUSES)[number];
const TIMESTAMP = { type: String, example: '2026-11-20T10:12:28.123456' };

/** The response to a send request. The property order is the order in the body. */
export class SendResponse {
  @ApiProperty()
  ok: boolean;
  @ApiProperty({ enum: ['queued', 'scheduled'] })
  status: 'queued' | 'scheduled';
  @ApiProperty({ format: 'uuid' })
  messageId: string;
  @ApiProperty({ description: 'Phone number of the recipient in E.164 format' })
  to: string;
  @ApiProperty({ description: 'Sender header that the recipient sees' })
  from: string;
  @ApiProperty({ format: 'uuid' })
  senderId: string;
  @ApiProperty({ format: 'uuid' })
  templateId: string;
  @ApiProperty({ description: 'The template text with all variables substituted' })
  renderedBody: string;
  @ApiProperty({ enum: ['gsm-7', 'ucs-2'] })
  encoding: SmsEncoding;
  @ApiProperty({ type: 'integer', description: 'Number of SMS segments' })
  segments: number;
  @ApiProperty({ type: 'integer' })
  creditsCost: number;
  @ApiProperty({ type: 'integer', description: 'Credit balance of the workspace after the charge' })
  creditsRemaining: number;
  @ApiProperty()
  flash: boolean;
  @ApiProperty({ ...TIMESTAMP, nullable: true })
  scheduledAt: string | null;
  @ApiProperty(TIMESTAMP)
  createdAt: string;
}

export class StatusRecord {
  @ApiProperty({ format: 'uuid' })
  messageId: string;
  @ApiProperty({ enum: STATUSES })
  status: MessageStatus;
  @ApiProperty()
  to: string;
  @ApiProperty()
  renderedBody: string;
  @ApiProperty({ enum: ['gsm-7', 'ucs-2'] })
  encoding: SmsEncoding;
  @ApiProperty({ type: 'integer' })
  creditsCost: number;
  @ApiProperty({ type: String, nullable: true, description: 'Failure reason; `null` if the message has not failed' })
  lastError: string | null;
  @ApiProperty({ ...TIMESTAMP, nullable: true })
  scheduledAt: string | null;
  @ApiProperty({ ...TIMESTAMP, nullable: true })
  sentAt: string | null;
  @ApiProperty(TIMESTAMP)
  createdAt: string;
}

export class Balance {
  @ApiProperty({ format: 'uuid' })
  workspaceId: string;
  @ApiProperty({ enum: ['sms'] })
  creditType: 'sms';
  @ApiProperty({ type: 'integer' })
  balance: number;
}
