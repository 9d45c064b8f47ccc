import type { Integer, Uuid } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import type { SmsEncoding } from '@heliograph/sms-text';
export type MessageStatus = 'scheduled' | 'queued' | 'sent' | 'delivered' | 'failed' | 'canceled';

/** The response to a send request. The property order is the order in the body. */
export class SendResponse {
  ok: boolean;
  status: 'queued' | 'scheduled';
  messageId: Uuid;
  /** Phone number of the recipient in E.164 format. */
  to: string;
  /** Sender header that the recipient sees. */
  from: string;
  senderId: Uuid;
  templateId: Uuid;
  /** The template text with all variables substituted. */
  renderedBody: string;
  @ApiProperty({ enum: ['gsm-7', 'ucs-2'] })
  encoding: SmsEncoding;
  /** Number of SMS segments. */
  segments: Integer;
  creditsCost: Integer;
  /** Credit balance of the workspace after the charge. */
  creditsRemaining: Integer;
  flash: boolean;
  /** @example 2026-11-20T10:12:28.123456 */
  scheduledAt: string | null;
  /** @example 2026-11-20T10:12:28.123456 */
  createdAt: string;
}

export class StatusRecord {
  messageId: Uuid;
  status: 'scheduled' | 'queued' | 'sent' | 'delivered' | 'failed' | 'canceled';
  to: string;
  renderedBody: string;
  @ApiProperty({ enum: ['gsm-7', 'ucs-2'] })
  encoding: SmsEncoding;
  creditsCost: Integer;
  /** Failure reason; `null` if the message has not failed. */
  lastError: string | null;
  /** @example 2026-11-20T10:12:28.123456 */
  scheduledAt: string | null;
  /** @example 2026-11-20T10:12:28.123456 */
  sentAt: string | null;
  /** @example 2026-11-20T10:12:28.123456 */
  createdAt: string;
}

export class Balance {
  workspaceId: Uuid;
  creditType: 'sms';
  balance: Integer;
}
