import { failureRecord, smsRecord, type Integer, type Timestamp, type Uuid } from '@heliograph/contracts';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsOptional } from 'class-validator';
import {
  isJsonObject,
  isStorableText,
  parseScheduledAt,
  RecordDto,
  rule,
  V1Request,
  IsWorkspaceId,
} from '@heliograph/service-kit';
import { isVariableValue, type VariableValue } from '../messages/send-request.dto';

const MAX_TEXT_LENGTH = 100_000;
const MAX_REFERENCE_LENGTH = 255;
export const MAX_BULK_RECIPIENTS = 1_000;

const IsRecipient = () =>
  rule(
    'is_to',
    'to must be text: a phone number in E.164 format, a plus and 7 to 15 digits.',
    isText,
    'INVALID_RECIPIENT',
  );
const IsMessage = () => rule('is_message', 'message must be text.', isText);
const AreVariables = () =>
  rule(
    'is_variables',
    'variables must map each token to text, a number or a boolean.',
    (value) => isJsonObject(value) && Object.entries(value).every(isVariable),
    'INVALID_VARIABLES',
  );
const IsReference = () =>
  rule('is_reference', `reference must be text of at most ${MAX_REFERENCE_LENGTH} characters.`, (value) =>
    isStorableText(value, MAX_REFERENCE_LENGTH),
  );
const VARIABLES: ApiPropertyOptions = {
  type: 'object',
  additionalProperties: { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
};

/** The fields that a send and a bulk send share. */
export class V1SmsContent {
  /** Id or header of a sender. Optional if exactly one sender is active for the country of the recipient. */
  @IsOptional()
  @rule('is_sender', 'sender_id must be text: the id or the header of a sender.', isText, 'INVALID_SENDER')
  sender_id?: string;

  /** The whole text; alternative to `template_id`. In a country that requires DLT, it must match exactly one active registered template. */
  @IsOptional()
  @IsMessage()
  message?: string;

  /** Id or name of a template; alternative to `message`. */
  @IsOptional()
  @rule('is_template', 'template_id must be text: the id or the name of a template.', isText, 'INVALID_TEMPLATE')
  template_id?: string;

  /** Values of the template placeholders, by token. */
  @ApiProperty(VARIABLES)
  @IsOptional()
  @AreVariables()
  variables?: Record<string, VariableValue>;

  /**
   * Sends a flash message, which the phone displays immediately and does not store.
   * @default false
   */
  @IsOptional()
  @rule('is_flash', 'flash must be true or false.', (value) => typeof value === 'boolean')
  flash?: boolean;

  /** Time in the future at which the message is sent; by default it is sent immediately. */
  @IsOptional()
  @rule(
    'is_schedule',
    'scheduled_at must be an RFC 3339 timestamp with a zone, such as 2026-11-20T10:12:28Z.',
    (value) => typeof value === 'string' && parseScheduledAt(value) !== null,
    'INVALID_SCHEDULED_AT',
  )
  scheduled_at?: Timestamp;

  /** Id of the workspace that sends the message and is charged for it. */
  @IsOptional()
  @IsWorkspaceId()
  workspace_id?: Uuid;
}

/** The request of POST /api/v1/sms/send. */
@V1Request()
export class V1SendRequest extends V1SmsContent {
  /**
   * Phone number of the recipient in E.164 format.
   * @example +919876543210
   */
  @IsRecipient()
  to: string;

  /** Your own identifier of the message, such as an order number. */
  @ApiProperty({ maxLength: MAX_REFERENCE_LENGTH })
  @IsOptional()
  @IsReference()
  reference?: string;
}

export class V1BulkRecipient {
  /** Phone number of the recipient in E.164 format. */
  @IsRecipient()
  to: string;

  /** Values for this recipient; they override the common variables with the same token. */
  @ApiProperty(VARIABLES)
  @IsOptional()
  @AreVariables()
  variables?: Record<string, VariableValue>;

  /** The whole text for this recipient; it replaces the common text. */
  @IsOptional()
  @IsMessage()
  message?: string;

  @ApiProperty({ maxLength: MAX_REFERENCE_LENGTH })
  @IsOptional()
  @IsReference()
  reference?: string;
}

/** The request of POST /api/v1/sms/bulk. Each recipient is checked separately. */
@V1Request()
export class V1BulkRequest extends V1SmsContent {
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

export class V1Failure extends RecordDto(failureRecord) {}

/** A message of the v1 API. */
export class V1SmsMessage extends RecordDto(smsRecord, { error: V1Failure }) {}

export class V1SentSms extends V1SmsMessage {
  /** Credit balance of the workspace after the charge. */
  credits_remaining: Integer;
}

/** The result for one recipient of a bulk send: either `id` or `error` is present. */
export class V1BulkResult {
  /** Phone number in E.164 format, or the value in the request if it is not a valid phone number. */
  @ApiProperty({ type: String, nullable: true })
  to: unknown;
  /** Id of the message. Repeated phone numbers get one message and have the same id. */
  id?: Uuid;
  status?: 'queued' | 'scheduled';
  segments?: Integer;
  credits_cost?: Integer;
  error?: V1Failure;
}

export class V1BulkResponse {
  id: Uuid;
  /** Number of accepted messages. */
  accepted: Integer;
  rejected: Integer;
  credits_cost: Integer;
  credits_remaining: Integer;
  /** The results in the order of the recipients in the request. */
  messages: V1BulkResult[];
}

function isText(value: unknown): boolean {
  return isStorableText(value, MAX_TEXT_LENGTH);
}

function isVariable([token, value]: [string, unknown]): boolean {
  return isText(token) && isVariableValue(value);
}
