import { ApiProperty } from '@nestjs/swagger';

export const REPORT_STATUSES = ['scheduled', 'sent', 'delivered', 'bounced', 'failed', 'skipped', 'canceled'] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];
const EVENT_TYPES = ['delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'];
const TIMESTAMP = { type: String, example: '2026-11-20T10:12:28.123456' };

/** The result for one recipient. */
export class RecipientResult {
  @ApiProperty()
  to: string;
  @ApiProperty({ description: 'False if the recipient was refused or skipped' })
  ok: boolean;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Message-ID of the mail; `null` if no mail has been sent yet',
  })
  messageId: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'If `ok` is false, the reason why the recipient was refused. If `ok` is true, the reason why the mail is retried in the background. Otherwise `null`',
  })
  error: string | null;
  @ApiProperty({
    description: 'True if the recipient is suppressed or unsubscribed. The mail is neither sent nor charged',
  })
  skipped: boolean;
}

/** The response to a send request. The property order is the order in the body. */
export class SendResponse {
  @ApiProperty()
  ok: boolean;
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ enum: ['sent', 'scheduled', 'skipped'] })
  status: 'sent' | 'scheduled' | 'skipped';
  @ApiProperty()
  from: string;
  @ApiProperty({ type: 'integer' })
  recipientCount: number;
  @ApiProperty({ type: 'integer' })
  sentCount: number;
  @ApiProperty({ type: 'integer' })
  failedCount: number;
  @ApiProperty({ type: 'integer' })
  skippedCount: number;
  @ApiProperty({ ...TIMESTAMP, nullable: true })
  scheduledAt: string | null;
  @ApiProperty({ format: 'uuid', description: 'The same value as `id`' })
  messageId: string;
  @ApiProperty({ type: [RecipientResult] })
  results: RecipientResult[];
}

export class ReportEvent {
  @ApiProperty({ enum: EVENT_TYPES })
  type: string;
  @ApiProperty()
  recipient: string;
  @ApiProperty({ type: String, nullable: true, description: 'URL of the clicked link; `null` for other events' })
  url: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Reason of a bounce. For an open, `machine` if a program loaded the mail. For a delivery, `relayed` if the mail was passed on to a server that sends no delivery reports. Otherwise `null`',
  })
  reason: string | null;
  @ApiProperty(TIMESTAMP)
  occurredAt: string;
}

export class DeliveryReport {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ format: 'uuid', description: 'The same value as `id`' })
  messageId: string;
  @ApiProperty({ enum: REPORT_STATUSES })
  status: ReportStatus;
  @ApiProperty()
  from: string;
  @ApiProperty({ description: 'Addresses of all recipients, separated by a comma and a space' })
  to: string;
  @ApiProperty()
  subject: string;
  @ApiProperty(TIMESTAMP)
  createdAt: string;
  @ApiProperty({ type: [ReportEvent] })
  events: ReportEvent[];
}

export class Balance {
  @ApiProperty({ format: 'uuid' })
  workspaceId: string;
  @ApiProperty({ enum: ['email'] })
  creditType: 'email';
  @ApiProperty({ type: 'integer' })
  balance: number;
}
