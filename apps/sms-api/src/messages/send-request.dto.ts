import { ApiProperty } from '@nestjs/swagger';
import { plainToInstance, Transform, type ClassTransformOptions } from 'class-transformer';
import { IsBoolean, IsOptional, registerDecorator, validateSync, type ValidationError } from 'class-validator';
import { AppError, type ErrorCode } from '@heliograph/errors';
import { parseScheduledAt, type ScheduledAt } from '@heliograph/platform';
import type { SendFields } from './read-fields';

const MAX_TEXT = 100_000;
const FROM_URL = 'from-url';

/** Text that every system on the way can hold: no NUL, no half of a surrogate pair. */
export function isSendableText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT && !value.includes('\0') && value.isWellFormed();
}

/** A rule whose violation has a code of its own. */
function rule(
  name: string,
  code: ErrorCode,
  message: string,
  holds: (value: unknown) => boolean,
): () => PropertyDecorator {
  return () => (target, property) =>
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: property as string,
      options: { message, context: { code } },
      validator: { validate: holds },
    });
}

const IsSender = rule(
  'isSender',
  'INVALID_SENDER',
  'from must be text: the id or the header of a sender.',
  isSendableText,
);
const IsRecipient = rule(
  'isRecipient',
  'INVALID_RECIPIENT',
  'to must be text: a number in E.164, such as +919876543210.',
  isSendableText,
);
const IsTemplate = rule(
  'isTemplate',
  'INVALID_TEMPLATE',
  'template must be text: the id or the name of a template.',
  isSendableText,
);
const IsMessage = rule('isMessage', 'INVALID_REQUEST', 'message must be text.', isSendableText);
const IsVariables = rule(
  'isVariables',
  'INVALID_VARIABLES',
  'variables must map each token to text, a number or a boolean. Send integers beyond 2^53 as text.',
  (value) => value instanceof Map,
);
const IsSchedule = rule(
  'isSchedule',
  'INVALID_SCHEDULED_AT',
  'scheduledAt must be an RFC 3339 timestamp with a zone, such as 2026-11-20T10:12:28Z.',
  (value) => typeof value === 'object' && value !== null && 'timestamp' in value,
);

/**
 * The one request behind all call styles, as it is documented and as it is checked. Only shapes are checked here, in
 * the order of the fields; whether a sender or a template exists is for the service.
 */
export class SendRequest {
  @ApiProperty({
    description: 'Id or header of a registered sender. Aliases: sender, senderId, header',
    example: 'ACMEIN',
  })
  @IsOptional()
  @IsSender()
  from?: string;

  @ApiProperty({
    description: 'Recipient in E.164. Aliases: recipient, number, msisdn, mobile, phone',
    example: '+919876543210',
  })
  @IsOptional()
  @IsRecipient()
  to?: string;

  @ApiProperty({
    required: false,
    description:
      'Id or name of a template; may be left out when the onboarding of the sender has exactly one active one. Aliases: templateId, tpl',
  })
  @IsOptional()
  @IsTemplate()
  template?: string;

  @ApiProperty({
    required: false,
    description:
      'The value of a template with exactly one placeholder, when variables does not hold it. Aliases: text, body, msg, content',
  })
  @IsOptional()
  @IsMessage()
  message?: string;

  @ApiProperty({
    selfRequired: false,
    type: 'object',
    additionalProperties: { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
    description: 'Token to value',
    example: { code: '123456' },
  })
  @IsOptional()
  @Transform(({ obj }: { obj: SendFields }) => toVariables(obj.variables))
  @IsVariables()
  variables?: Map<string, string>;

  @ApiProperty({ required: false, default: false, description: 'Class-0 message, shown at once and not stored' })
  @IsOptional()
  @IsBoolean({ message: 'flash must be true or false.', context: { code: 'INVALID_REQUEST' } })
  flash?: boolean;

  @ApiProperty({
    required: false,
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When to send, in the future (RFC 3339). Aliases: scheduled_at, schedule, at',
  })
  @IsOptional()
  @Transform(({ obj, options }: { obj: SendFields; options: ClassTransformOptions }) =>
    toSchedule(obj.scheduledAt, options.groups?.includes(FROM_URL) ?? false),
  )
  @IsSchedule()
  scheduledAt?: ScheduledAt;
}

const FIELD_ORDER: readonly string[] = ['from', 'to', 'template', 'message', 'variables', 'flash', 'scheduledAt'];

/**
 * Checks the shapes of the fields. Throws the code of the first field that is wrong. In fields that come `fromUrl` (a
 * query string or a form) a plus may have become a blank.
 */
export function toSendRequest(fields: SendFields, { fromUrl }: { fromUrl: boolean }): SendRequest {
  const request = plainToInstance(SendRequest, fields, fromUrl ? { groups: [FROM_URL] } : {});
  const errors = validateSync(request, {
    forbidUnknownValues: false,
    validationError: { target: false, value: false },
  });
  const [first] = errors.sort((a, b) => FIELD_ORDER.indexOf(a.property) - FIELD_ORDER.indexOf(b.property));
  if (first) throw toRefusal(first);
  return request;
}

function toRefusal(error: ValidationError): AppError {
  const [name = ''] = Object.keys(error.constraints ?? {});
  const context = error.contexts?.[name] as { code: ErrorCode } | undefined;
  return new AppError(context?.code ?? 'INVALID_REQUEST', error.constraints?.[name] ?? 'The request is not valid.');
}

function toSchedule(given: unknown, plusMayBeBlank: boolean): unknown {
  return typeof given === 'string' ? (parseScheduledAt(given, { plusMayBeBlank }) ?? given) : given;
}

/** Anything that is not a map of tokens to plain values stays as it is, and is refused. */
function toVariables(value: unknown): unknown {
  if (!(value instanceof Map)) return value;
  const variables = new Map<string, string>();
  for (const [token, given] of value as Map<string, unknown>) {
    const text = toValue(given);
    if (text === null || !isSendableText(token)) return 'not a map of tokens to plain values';
    variables.set(token, text);
  }
  return variables;
}

function toValue(given: unknown): string | null {
  switch (typeof given) {
    case 'string':
      return isSendableText(given) ? given : null;
    case 'number':
      // JSON has already rounded an integer that is not safe: the text would be another number than was meant.
      return Number.isInteger(given) && !Number.isSafeInteger(given) ? null : String(given);
    case 'boolean':
      return String(given);
    default:
      return null;
  }
}
