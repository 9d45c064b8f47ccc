import {
  emailCountsRecord,
  emailRecord,
  failureRecord,
  type Integer,
  type Timestamp,
  type Uuid,
} from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { RECIPIENT_KINDS } from '../messages/checks/recipients';
import { V1_EMAIL_STATUSES } from '@heliograph/email-catalog';
import { RecordDto } from '@heliograph/service-kit';

export class V1Counts extends RecordDto(emailCountsRecord) {}

/** An email of the v1 API. The counts are numbers of recipients. */
export class V1Email extends RecordDto(emailRecord, { counts: V1Counts }) {}

export class V1SentRecipient {
  to: string;
  kind: (typeof RECIPIENT_KINDS)[number];
  @ApiProperty({ enum: [...V1_EMAIL_STATUSES, 'deferred'] })
  status: (typeof V1_EMAIL_STATUSES)[number] | 'deferred';
  /** Message-ID of the mail; `null` until it leaves. */
  message_id: string | null;
  /** The reason why the mail was refused or is retried; otherwise `null`. */
  error: string | null;
}

export class V1SentEmail extends V1Email {
  /** Credit balance of the workspace after the charge. */
  credits_remaining: Integer;
  recipients: V1SentRecipient[];
}

export class V1EmailEvent {
  @ApiProperty({ enum: ['delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'] })
  type: string;
  /** URL of the clicked link; `null` for other events. */
  url: string | null;
  /** Reason of a bounce; `machine` for an open by a program; otherwise `null`. */
  reason: string | null;
  occurred_at: Timestamp;
  /** Scope from which the recipient unsubscribed: `marketing` or the name of a list. Only present for `unsubscribed`. */
  scope?: string;
}

export class V1Recipient extends V1SentRecipient {
  events: V1EmailEvent[];
}

export class V1EmailDetails extends V1Email {
  recipients: V1Recipient[];
}

export class V1Emails {
  data: V1Email[];
  /** Cursor of the next page; absent on the last page. */
  next_cursor?: string;
}

export class V1Failure extends RecordDto(failureRecord) {}

/** The result for one recipient of a bulk send: either `id` or `error` is present. */
export class V1BulkResult {
  /** Address of the recipient, as in the request; `null` if it is not a string. */
  to: string | null;
  /** Id of the email. Repeated addresses get one email and have the same id. */
  id?: Uuid;
  status?: 'queued' | 'scheduled' | 'skipped';
  credits_cost?: Integer;
  error?: V1Failure;
}

export class V1BulkResponse {
  id: Uuid;
  /** Number of accepted emails, including skipped emails. */
  accepted: Integer;
  rejected: Integer;
  credits_cost: Integer;
  credits_remaining: Integer;
  /** The results in the order of the recipients in the request. */
  messages: V1BulkResult[];
}
