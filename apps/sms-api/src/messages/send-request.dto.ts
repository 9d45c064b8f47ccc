import type { Timestamp } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { Aliases, isStorableText, parseScheduledAt, rule } from '@heliograph/service-kit';

const MAX_TEXT_LENGTH = 100_000;

/** The value of a template variable. */
export type VariableValue = string | number | boolean;

const isText = (value: unknown): boolean => isStorableText(value, MAX_TEXT_LENGTH);

const IsSender = () =>
  rule('isSender', 'from must be text: the id or the header of a sender.', isText, 'INVALID_SENDER');
const IsRecipient = () =>
  rule(
    'isRecipient',
    'to must be text: a phone number in E.164 format, a plus and 7 to 15 digits.',
    isText,
    'INVALID_RECIPIENT',
  );
const IsTemplate = () =>
  rule('isTemplate', 'template must be text: the id or the name of a template.', isText, 'INVALID_TEMPLATE');
const IsMessage = () => rule('isMessage', 'message must be text.', isText, 'INVALID_REQUEST');
const IsFlash = () =>
  rule('isFlash', 'flash must be true or false.', (value) => typeof value === 'boolean', 'INVALID_REQUEST');
const IsVariables = () =>
  rule(
    'isVariables',
    'variables must map each token to text, a number or a boolean. Send integers beyond 2^53 and other numbers that a 64-bit float cannot hold as text.',
    (value) => value instanceof Map && [...value].every(([token, given]) => isText(token) && isVariableValue(given)),
    'INVALID_VARIABLES',
  );
const IsSchedule = () =>
  rule(
    'isSchedule',
    'scheduledAt must be an RFC 3339 timestamp with a zone, such as 2026-11-20T10:12:28Z.',
    (value) => typeof value === 'string' && parseScheduledAt(value) !== null,
    'INVALID_SCHEDULED_AT',
  );

/**
 * The request of every call style. Its rules check the types and formats of the fields, in the order of the fields;
 * SendService checks whether a sender or a template exists.
 */
export class SendRequest {
  /**
   * Id or header of a registered sender. Aliases: `sender`, `senderId`, `header`.
   * @example ACMEIN
   */
  @ApiProperty({ required: true })
  @IsOptional()
  @Aliases('sender', 'senderId', 'header')
  @IsSender()
  from?: string;

  /**
   * Phone number of the recipient in E.164 format. Aliases: `recipient`, `number`, `msisdn`, `mobile`, `phone`.
   * @example +919876543210
   */
  @ApiProperty({ required: true })
  @IsOptional()
  @Aliases('recipient', 'number', 'msisdn', 'mobile', 'phone')
  @IsRecipient()
  to?: string;

  /** Id or name of a template. Optional if the onboarding of the sender has exactly one active template. Aliases: `templateId`, `tpl`. */
  @IsOptional()
  @Aliases('templateId', 'tpl')
  @IsTemplate()
  template?: string;

  /**
   * Value of the placeholder if the template has exactly one and `variables` does not contain it. Aliases: `text`, `body`, `msg`,
   * `content`.
   */
  @IsOptional()
  @Aliases('text', 'body', 'msg', 'content')
  @IsMessage()
  message?: string;

  /**
   * Values of the template placeholders, by token.
   * @example {"code":"123456"}
   */
  @ApiProperty({
    type: 'object',
    additionalProperties: { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
  })
  @IsOptional()
  @IsVariables()
  variables?: ReadonlyMap<string, VariableValue>;

  /**
   * Sends a class 0 (flash) message, which the phone displays immediately and does not store.
   * @default false
   */
  @IsOptional()
  @IsFlash()
  flash?: boolean;

  /** Time in the future at which the message is sent (RFC 3339). Aliases: `scheduled_at`, `schedule`, `at`. */
  @ApiProperty({ nullable: true })
  @IsOptional()
  @Aliases('scheduled_at', 'schedule', 'at')
  @IsSchedule()
  scheduledAt?: Timestamp;
}

export function isVariableValue(value: unknown): value is VariableValue {
  switch (typeof value) {
    case 'string':
      return isText(value);
    case 'number':
      // JSON.parse has already rounded unsafe integers and converted 1e400 to Infinity, so such numbers are rejected.
      return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
    default:
      return typeof value === 'boolean';
  }
}
