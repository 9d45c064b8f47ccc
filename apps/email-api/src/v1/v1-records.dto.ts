import { ApiProperty } from '@nestjs/swagger';
import { RECIPIENT_KINDS, type RecipientKind } from '../messages/checks/recipients';
import { V1_EMAIL_STATUSES, type V1EmailStatus } from '@heliograph/email-catalog';

const RECIPIENT_STATUSES = [...V1_EMAIL_STATUSES, 'deferred'] as const;

export class V1Counts {
  @ApiProperty({ type: 'integer' })
  recipients: number;
  @ApiProperty({
    type: 'integer',
    description: 'Number of recipients whose mail was accepted by the mail server, including delivered mails',
  })
  sent: number;
  @ApiProperty({ type: 'integer' })
  delivered: number;
  @ApiProperty({ type: 'integer' })
  opened: number;
  @ApiProperty({ type: 'integer' })
  clicked: number;
  @ApiProperty({ type: 'integer' })
  bounced: number;
  @ApiProperty({ type: 'integer' })
  complained: number;
  @ApiProperty({ type: 'integer' })
  unsubscribed: number;
  @ApiProperty({ type: 'integer', description: 'Number of recipients that were refused and refunded' })
  failed: number;
  @ApiProperty({ type: 'integer', description: 'Number of recipients that were suppressed and not charged' })
  skipped: number;
}

/** An email of the v1 API. The counts are numbers of recipients. */
export class V1Email {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ enum: V1_EMAIL_STATUSES })
  status: V1EmailStatus;
  @ApiProperty()
  from: string;
  @ApiProperty({ type: String, nullable: true })
  from_name: string | null;
  @ApiProperty({ type: [String] })
  to: string[];
  @ApiProperty({ type: [String] })
  cc: string[];
  @ApiProperty({ type: [String] })
  bcc: string[];
  @ApiProperty()
  subject: string;
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  template_id: string | null;
  @ApiProperty({ type: [String] })
  tags: string[];
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  campaign_id: string | null;
  @ApiProperty({ type: String, nullable: true })
  reference: string | null;
  @ApiProperty({
    type: 'integer',
    description: 'Credits charged for the email. Refunds of refused recipients are not subtracted',
  })
  credits_cost: number;
  @ApiProperty({ type: V1Counts })
  counts: V1Counts;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  scheduled_at: string | null;
  @ApiProperty({ format: 'date-time' })
  created_at: string;
}

export class V1SentRecipient {
  @ApiProperty()
  to: string;
  @ApiProperty({ enum: RECIPIENT_KINDS })
  kind: RecipientKind;
  @ApiProperty({ enum: RECIPIENT_STATUSES })
  status: (typeof RECIPIENT_STATUSES)[number];
  @ApiProperty({ type: String, nullable: true, description: 'Message-ID of the mail; `null` until it leaves' })
  message_id: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The reason why the mail was refused or is retried; otherwise `null`',
  })
  error: string | null;
}

export class V1SentEmail extends V1Email {
  @ApiProperty({ type: 'integer', description: 'Credit balance of the workspace after the charge' })
  credits_remaining: number;
  @ApiProperty({ type: [V1SentRecipient] })
  recipients: V1SentRecipient[];
}

export class V1EmailEvent {
  @ApiProperty({ enum: ['delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'] })
  type: string;
  @ApiProperty({ type: String, nullable: true, description: 'URL of the clicked link; `null` for other events' })
  url: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Reason of a bounce; `machine` for an open by a program; otherwise `null`',
  })
  reason: string | null;
  @ApiProperty({ format: 'date-time' })
  occurred_at: string;
  @ApiProperty({
    required: false,
    description:
      'Scope from which the recipient unsubscribed: `marketing` or the name of a list. Only present for `unsubscribed`',
  })
  scope?: string;
}

export class V1Recipient extends V1SentRecipient {
  @ApiProperty({ type: [V1EmailEvent] })
  events: V1EmailEvent[];
}

export class V1EmailDetails extends V1Email {
  @ApiProperty({ type: [V1Recipient] })
  recipients: V1Recipient[];
}

export class V1Emails {
  @ApiProperty({ type: [V1Email] })
  data: V1Email[];
  @ApiProperty({ required: false, description: 'Cursor of the next page; absent on the last page' })
  next_cursor?: string;
}

export class V1Failure {
  @ApiProperty()
  code: string;
  @ApiProperty()
  message: string;
}

/** The result for one recipient of a bulk send: either `id` or `error` is present. */
export class V1BulkResult {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Address of the recipient, as in the request; `null` if it is not a string',
  })
  to: string | null;
  @ApiProperty({
    required: false,
    format: 'uuid',
    description: 'Id of the email. Repeated addresses get one email and have the same id',
  })
  id?: string;
  @ApiProperty({ required: false, enum: ['queued', 'scheduled', 'skipped'] })
  status?: 'queued' | 'scheduled' | 'skipped';
  @ApiProperty({ required: false, type: 'integer' })
  credits_cost?: number;
  @ApiProperty({ required: false, type: V1Failure })
  error?: V1Failure;
}

export class V1BulkResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ type: 'integer', description: 'Number of accepted emails, including skipped emails' })
  accepted: number;
  @ApiProperty({ type: 'integer' })
  rejected: number;
  @ApiProperty({ type: 'integer' })
  credits_cost: number;
  @ApiProperty({ type: 'integer' })
  credits_remaining: number;
  @ApiProperty({ type: [V1BulkResult], description: 'The results in the order of the recipients in the request' })
  messages: V1BulkResult[];
}
