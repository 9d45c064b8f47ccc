import type { Timestamp, Uuid } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsOptional, ValidateNested } from 'class-validator';
import { readEmailAddress } from '@heliograph/addresses';
import { isUnsubscribeScope, UNSUBSCRIBE_SCOPE_RULE } from '@heliograph/email-catalog';
import { subjectFault } from '@heliograph/email-text';
import {
  isDisplayText,
  isJsonObject,
  isStorableText,
  IsWorkspaceId,
  parseScheduledAt,
  rule,
  V1Request,
  type RuleContext,
} from '@heliograph/service-kit';
import { MAX_RECIPIENTS, MAX_SHARED_RECIPIENTS, recipientsFault } from '../messages/checks/recipients';
import { IsTracking, TrackingOptions, UNSUBSCRIBE_SCOPE_DESCRIPTION } from '../messages/send-request.dto';
import { headersFault, MAX_HEADERS } from './v1-headers';
import { MAX_ATTACHMENTS, V1Attachment } from './v1-attachment.dto';

const MAX_NAME_LENGTH = 200;
const MAX_TEMPLATE_LENGTH = 200;
const MAX_REFERENCE_LENGTH = 255;
const MAX_REPLY_TO = 10;
const MAX_TAGS = 10;
const MAX_TAG_LENGTH = 50;
export const MAX_BULK_RECIPIENTS = 1_000;

const AreVariables = () =>
  rule('are_variables', 'variables must be an object that maps variable names to values.', isJsonObject);
const IsReference = () =>
  rule('is_reference', `reference must be text of at most ${MAX_REFERENCE_LENGTH} characters.`, (value) =>
    isStorableText(value, MAX_REFERENCE_LENGTH),
  );

/** The fields that a send and a bulk send share. */
export class V1EmailContent {
  /** Address of a registered sender. The default is the main sender. */
  @IsOptional()
  @rule('is_from', 'from must be a single address without a name, such as hello@example.com.', isAddress)
  from?: string;

  /** Display name of the sender. The default is the name of the registered sender. */
  @ApiProperty({ maxLength: MAX_NAME_LENGTH })
  @IsOptional()
  @rule(
    'is_from_name',
    `from_name must be a single line of at most ${MAX_NAME_LENGTH} characters without invisible characters.`,
    (value) => isDisplayText(value, MAX_NAME_LENGTH),
  )
  from_name?: string;

  /** Address or addresses for replies (`Reply-To`). */
  @ApiProperty({
    oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MAX_REPLY_TO }],
  })
  @IsOptional()
  @rule(
    'is_reply_to',
    `reply_to must be an address, or a list of 1 to ${MAX_REPLY_TO} addresses.`,
    (value) => isAddress(value) || (isList(value, MAX_REPLY_TO) && value.length > 0 && value.every(isAddress)),
  )
  reply_to?: string | string[];

  /** Subject. Required unless the template has a subject. */
  @IsOptional()
  @rule(
    'is_subject',
    (value) => `subject ${typeof value === 'string' ? subjectFault(value) : 'must be a string'}.`,
    (value) => typeof value === 'string' && subjectFault(value) === null,
  )
  subject?: string;

  /** HTML body. Required unless `text` or `template_id` is present. */
  @IsOptional()
  @rule('is_html', 'html must be a string of valid Unicode without NUL.', (value) => isStorableText(value))
  html?: string;

  /** Plain text body. By default it is generated from `html`. */
  @IsOptional()
  @rule('is_text', 'text must be a string of valid Unicode without NUL.', (value) => isStorableText(value))
  text?: string;

  /** Id or slug of a template. */
  @IsOptional()
  @rule(
    'is_template',
    'template_id must be the id or the slug of one of your templates.',
    (value) => isStorableText(value, MAX_TEMPLATE_LENGTH) && value !== '',
    'INVALID_TEMPLATE',
  )
  template_id?: string;

  @IsOptional()
  @AreVariables()
  variables?: Record<string, unknown>;

  @ApiProperty({ maxItems: MAX_ATTACHMENTS })
  @IsOptional()
  @rule('are_attachments', `attachments must be a list of at most ${MAX_ATTACHMENTS} objects.`, (value) =>
    isList(value, MAX_ATTACHMENTS),
  )
  @ValidateNested({
    each: true,
    message: '$property must be an object with filename and content.',
    context: { isWhole: true } satisfies RuleContext,
  })
  @Type(() => V1Attachment)
  attachments?: V1Attachment[];

  /**
   * Additional headers. Allowed are `X-*`, `List-*`, `In-Reply-To`, `References`, `Thread-Topic` and `Thread-Index`, except headers that
   * mail services interpret as commands. `List-Unsubscribe` and `List-Unsubscribe-Post` are only allowed with the unsubscribe scope
   * `transactional`; the service adds its own one-click link to other emails.
   */
  @ApiProperty({ maxProperties: MAX_HEADERS })
  @IsOptional()
  @rule('are_headers', (value) => headersFault(value) ?? '', (value) => headersFault(value) === null)
  headers?: Record<string, string>;

  @ApiProperty({ maxItems: MAX_TAGS })
  @IsOptional()
  @rule(
    'are_tags',
    `tags must be a list of at most ${MAX_TAGS} strings of 1 to ${MAX_TAG_LENGTH} characters.`,
    (value) => isList(value, MAX_TAGS) && value.every((tag) => isStorableText(tag, MAX_TAG_LENGTH) && tag !== ''),
  )
  tags?: string[];

  @IsOptional()
  @IsTracking()
  @Type(() => TrackingOptions)
  tracking?: TrackingOptions;

  /** @example news */
  @ApiProperty({ maxLength: 63, description: UNSUBSCRIBE_SCOPE_DESCRIPTION })
  @IsOptional()
  @rule('is_unsubscribe_scope', `unsubscribe_scope ${UNSUBSCRIBE_SCOPE_RULE}.`, isUnsubscribeScope)
  unsubscribe_scope?: string;

  /** Time in the future at which the email is sent; by default it is sent immediately. */
  @IsOptional()
  @rule(
    'is_schedule',
    'scheduled_at must be an RFC 3339 timestamp with a zone, such as 2026-11-20T10:12:28Z.',
    (value) => typeof value === 'string' && parseScheduledAt(value) !== null,
    'INVALID_SEND_TIME',
  )
  scheduled_at?: Timestamp;

  /** Id of the workspace that sends the email and is charged for it. */
  @IsOptional()
  @IsWorkspaceId()
  workspace_id?: Uuid;
}

const AreCopied = (field: 'cc' | 'bcc'): PropertyDecorator =>
  rule(
    `are_${field}`,
    (value) => recipientsFault(value, field) ?? '',
    (value) => recipientsFault(value, field) === null,
    'INVALID_RECIPIENT',
  );
const RECIPIENT_LIST = [
  { type: 'string', example: 'ben@example.com' },
  { type: 'array', items: { type: 'string' }, maxItems: MAX_SHARED_RECIPIENTS },
];

/** The request of POST /api/v1/email/send. */
@V1Request()
export class V1SendRequest extends V1EmailContent {
  /**
   * One or more recipients; duplicates are removed. Without `cc` and `bcc`, each recipient receives a separate email that shows no other
   * recipient. With `cc` or `bcc`, the send is one email to all recipients.
   */
  @ApiProperty({
    oneOf: [
      { type: 'string', example: 'ann@example.com' },
      { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MAX_RECIPIENTS },
    ],
  })
  @rule(
    'are_recipients',
    (value) => recipientsFault(value) ?? '',
    (value) => recipientsFault(value) === null,
    'INVALID_RECIPIENT',
  )
  @rule(
    'has_recipients',
    'to must contain at least one email address.',
    (value) => value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
    'NO_RECIPIENTS',
  )
  to: string | string[];

  @ApiProperty({
    oneOf: RECIPIENT_LIST,
    description:
      'Recipients in the header `Cc`. With `cc` or `bcc`, every copy shows the same `To` and `Cc`, and `to`, `cc` and `bcc` ' +
      `have at most ${MAX_SHARED_RECIPIENTS} recipients in total. Each recipient is charged once and has its own links and events`,
  })
  @IsOptional()
  @AreCopied('cc')
  cc?: string | string[];

  /** Recipients that no copy shows. An address that is also in `to` or `cc` counts there. */
  @ApiProperty({ oneOf: RECIPIENT_LIST })
  @IsOptional()
  @AreCopied('bcc')
  bcc?: string | string[];

  /** Your own identifier of the email, such as an order number. */
  @ApiProperty({ maxLength: MAX_REFERENCE_LENGTH })
  @IsOptional()
  @IsReference()
  reference?: string;
}

const IsRecipient = () =>
  rule(
    'is_to',
    (value) => recipientFault(value) ?? '',
    (value) => recipientFault(value) === null,
    'INVALID_RECIPIENT',
  );

export class V1BulkRecipient {
  @IsRecipient()
  to: string;

  /** Values for this recipient; they override the common variables with the same name. */
  @IsOptional()
  @AreVariables()
  variables?: Record<string, unknown>;

  @ApiProperty({ maxLength: MAX_REFERENCE_LENGTH })
  @IsOptional()
  @IsReference()
  reference?: string;
}

/** The request of POST /api/v1/email/bulk. Each recipient is checked separately. */
@V1Request()
export class V1BulkRequest extends V1EmailContent {
  @ApiProperty({ type: [V1BulkRecipient], minItems: 1, maxItems: MAX_BULK_RECIPIENTS })
  @Type(() => V1BulkRecipient)
  @rule(
    'is_recipients',
    `recipients must be a list of 1 to ${MAX_BULK_RECIPIENTS} objects with the field to.`,
    (value) => Array.isArray(value) && value.length >= 1 && value.length <= MAX_BULK_RECIPIENTS,
  )
  recipients: unknown[];

  /** Default reference for recipients without their own `reference`. */
  @ApiProperty({ maxLength: MAX_REFERENCE_LENGTH })
  @IsOptional()
  @IsReference()
  reference?: string;
}

function isList(value: unknown, most: number): value is unknown[] {
  return Array.isArray(value) && value.length <= most;
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && readEmailAddress(value) !== null;
}

function recipientFault(value: unknown): string | null {
  return Array.isArray(value) ? 'to must be a single email address.' : recipientsFault(value);
}
