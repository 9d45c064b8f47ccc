import { ApiProperty } from '@nestjs/swagger';

export const REPORT_STATUSES = ['scheduled', 'sent', 'delivered', 'bounced', 'failed', 'skipped', 'canceled'] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];
const EVENT_TYPES = ['deferred', 'delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'];
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
    description: 'Why the recipient was refused, or, with `ok` true, why the mail is retried in the background',
  })
  error: string | null;
  @ApiProperty({
    description: 'True if the recipient is suppressed or unsubscribed; no mail was sent and nothing is charged',
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
  @ApiProperty({ format: 'uuid', description: 'Same as id' })
  messageId: string;
  @ApiProperty({ type: [RecipientResult] })
  results: RecipientResult[];
}

export class ReportEvent {
  @ApiProperty({ enum: EVENT_TYPES })
  type: string;
  @ApiProperty()
  recipient: string;
  @ApiProperty({ type: String, nullable: true, description: 'Target of a click; `null` for other events' })
  url: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Reason of a bounce; `machine` for an open by a program; `relayed` for a delivery to the next server, which reports no further delivery',
  })
  reason: string | null;
  @ApiProperty(TIMESTAMP)
  occurredAt: string;
}

export class DeliveryReport {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ format: 'uuid', description: 'Same as id' })
  messageId: string;
  @ApiProperty({ enum: REPORT_STATUSES })
  status: ReportStatus;
  @ApiProperty()
  from: string;
  @ApiProperty({ description: 'All recipients, separated by a comma and a space' })
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
