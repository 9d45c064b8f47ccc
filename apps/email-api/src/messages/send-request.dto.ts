import type { Timestamp } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsOptional, ValidateNested } from 'class-validator';
import { readEmailAddress } from '@heliograph/addresses';
import { isUnsubscribeScope, UNSUBSCRIBE_SCOPE_RULE } from '@heliograph/email-catalog';
import { subjectFault } from '@heliograph/email-text';
import {
  isDisplayText,
  isJsonObject,
  isStorableText,
  parseScheduledAt,
  rule,
  type RuleContext,
} from '@heliograph/service-kit';
import { MAX_RECIPIENTS, recipientsFault } from './checks/recipients';

const MAX_NAME_LENGTH = 200;
const MAX_REFERENCE_LENGTH = 200;

const IsSender = () =>
  rule(
    'isSender',
    'from must be a single address without a name, such as hello@example.com. Use fromName for the name.',
    (value) => typeof value === 'string' && readEmailAddress(value) !== null,
    'INVALID_REQUEST',
  );
const IsSenderName = () =>
  rule(
    'isSenderName',
    `fromName must be a single line of at most ${MAX_NAME_LENGTH} characters.`,
    (value) => isDisplayText(value, MAX_NAME_LENGTH),
    'INVALID_REQUEST',
  );
const HasRecipients = () =>
  rule(
    'hasRecipients',
    'to must contain at least one email address.',
    (value) => value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
    'NO_RECIPIENTS',
  );
const AreRecipients = () =>
  rule(
    'areRecipients',
    (value) => recipientsFault(value) ?? '',
    (value) => recipientsFault(value) === null,
    'INVALID_RECIPIENT',
  );
const IsSubject = () =>
  rule(
    'isSubject',
    (value) => `subject ${typeof value === 'string' ? subjectFault(value) : 'must be a string'}.`,
    (value) => typeof value === 'string' && subjectFault(value) === null,
    'INVALID_REQUEST',
  );
const IsBody = (field: 'html' | 'text') =>
  rule('isBody', `${field} must be a string of valid Unicode without NUL.`, isStorable, 'INVALID_REQUEST');
const IsTemplate = () =>
  rule(
    'isTemplate',
    'template must be the id or the slug of one of your templates.',
    (value) => isStorableText(value, MAX_REFERENCE_LENGTH) && value !== '',
    'INVALID_TEMPLATE',
  );
const AreVariables = () =>
  rule(
    'areVariables',
    'variables must be an object that maps variable names to values.',
    isJsonObject,
    'INVALID_REQUEST',
  );
const IsSchedule = () =>
  rule(
    'isSchedule',
    'scheduledAt must be an RFC 3339 timestamp with a UTC offset, such as 2026-11-20T10:12:28Z.',
    (value) => typeof value === 'string' && parseScheduledAt(value) !== null,
    'INVALID_SEND_TIME',
  );
const IsUnsubscribeScope = () =>
  rule('isUnsubscribeScope', `unsubscribeScope ${UNSUBSCRIBE_SCOPE_RULE}.`, isUnsubscribeScope, 'INVALID_REQUEST');

/** Description of the field that sends, templates and campaigns have. */
export const UNSUBSCRIBE_SCOPE_DESCRIPTION =
  'Unsubscribe scope of the email. `transactional`: the email has no unsubscribe header, and only bounces, complaints and ' +
  'suppressions with the scope `all` stop it. `marketing`: an unsubscribe stops all marketing emails. Any other value is ' +
  'the name of a list: an unsubscribe stops all emails of this list. The default is the scope of the template, or ' +
  '`marketing` without a template';

const TRACKING =
  'tracking must be an object with the booleans opens and clicks, such as {"opens": false, "clicks": true}.';
export const IsTracking = () =>
  ValidateNested({ message: TRACKING, context: { code: 'INVALID_REQUEST', isWhole: true } satisfies RuleContext });

export class TrackingOptions {
  /** @default true */
  @IsOptional()
  @IsBoolean({ message: TRACKING })
  opens?: boolean | null;
  /** @default true */
  @IsOptional()
  @IsBoolean({ message: TRACKING })
  clicks?: boolean | null;
}

/**
 * The rules check the types and formats of the fields, in the order of the fields; SendService checks whether a sender
 * or a template exists. `null` counts as absent.
 */
export class SendRequest {
  /**
   * Address of a registered sender. The default is the main sender.
   * @example hello@acme.example
   */
  @IsOptional()
  @IsSender()
  from?: string | null;

  /** Display name of the sender. The default is the name of the registered sender. */
  @IsOptional()
  @IsSenderName()
  fromName?: string | null;

  /** One or more recipients. Each recipient receives a separate mail; duplicates are removed. */
  @ApiProperty({
    oneOf: [
      { type: 'string', example: 'ann@example.com' },
      { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MAX_RECIPIENTS },
    ],
  })
  @AreRecipients()
  @HasRecipients()
  to: string | string[];

  /** Subject. Required unless the template has a subject. */
  @IsOptional()
  @IsSubject()
  subject?: string | null;

  /** HTML body. Required unless `text` or `template` is present. */
  @IsOptional()
  @IsBody('html')
  html?: string | null;

  /** Plain text body. By default it is generated from `html`. */
  @IsOptional()
  @IsBody('text')
  text?: string | null;

  /** Id or slug of a template. */
  @IsOptional()
  @IsTemplate()
  template?: string | null;

  /** Values of the template variables. */
  @IsOptional()
  @AreVariables()
  variables?: Record<string, unknown> | null;

  /** Time in the future at which the email is sent, in RFC 3339 format with a UTC offset. */
  @IsOptional()
  @IsSchedule()
  scheduledAt?: Timestamp | null;

  /** Selects whether opens and clicks are recorded. */
  @IsOptional()
  @IsTracking()
  @Type(() => TrackingOptions)
  tracking?: TrackingOptions | null;

  /** @example transactional */
  @ApiProperty({ maxLength: 63, description: UNSUBSCRIBE_SCOPE_DESCRIPTION })
  @IsOptional()
  @IsUnsubscribeScope()
  unsubscribeScope?: string | null;
}

function isStorable(value: unknown): boolean {
  return isStorableText(value);
}
