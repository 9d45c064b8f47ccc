import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import {
  isJsonObject,
  isStorableText,
  nearestName,
  rule,
  toStorableText,
  IsWorkspaceId,
} from '@heliograph/service-kit';
import { EVENT_PATTERNS, isEventPattern, isEventType, RESERVED_HEADERS } from '@heliograph/webhooks';

const MAX_EVENTS = 100;
const MAX_HEADERS = 10;
const MAX_HEADER_VALUE_LENGTH = 1_000;
const MAX_DESCRIPTION_LENGTH = 2_000;
const MAX_SHOWN_LENGTH = 100;
// Names follow RFC 9110, section 5.6.2. Values are visible ASCII characters only, which prevents header injection.
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

const optional = (required: boolean) => (required ? [] : [IsOptional()]);

export const UrlField = ({ required }: { required: boolean }): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      required,
      type: String,
      example: 'https://example.com/webhooks',
      description: 'URL of the endpoint. It must use https',
    }),
    ...optional(required),
    rule('isUrl', 'url must be an absolute URL.', (value) => typeof value === 'string', 'INVALID_URL'),
  );

export const EventsField = ({ required }: { required: boolean }): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      required,
      type: [String],
      example: ['sms.delivered', 'email.*'],
      minItems: 1,
      maxItems: MAX_EVENTS,
      description: 'Event types of `GET /api/v1/webhooks/events`, groups such as `sms.*`, or `*` for all events',
    }),
    ...optional(required),
    rule(
      'areEvents',
      `events must be a list of 1 to ${MAX_EVENTS} event types, groups such as sms.*, or *.`,
      (value) => Array.isArray(value) && value.length >= 1 && value.length <= MAX_EVENTS,
    ),
    rule('isEventPattern', unknownEvent, isEventPattern, 'INVALID_REQUEST', { each: true }),
  );

/** Names an unknown event type, and the nearest one. */
function unknownEvent(event: unknown): string {
  if (typeof event !== 'string') return 'Each event type must be text, such as sms.delivered.';
  const nearest = nearestName(event, EVENT_PATTERNS);
  const advice = nearest ? `Did you mean ${nearest}?` : 'GET /api/v1/webhooks/events lists the event types.';
  return `${toStorableText(event, MAX_SHOWN_LENGTH)} is not an event type. ${advice}`;
}

export const HeadersField = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      required: false,
      type: 'object',
      additionalProperties: { type: 'string' },
      description: `Up to ${MAX_HEADERS} static headers that every delivery contains`,
      example: { 'X-Environment': 'production' },
      nullable: true,
    } as never),
    IsOptional(),
    rule(
      'areHeaders',
      `headers must be an object of at most ${MAX_HEADERS} ASCII strings. Headers that deliveries set themselves are not allowed.`,
      areHeaders,
    ),
  );

export const DescriptionField = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ required: false, type: String, nullable: true, maxLength: MAX_DESCRIPTION_LENGTH }),
    IsOptional(),
    rule('isDescription', `description must be a string of at most ${MAX_DESCRIPTION_LENGTH} characters.`, (value) =>
      isStorableText(value, MAX_DESCRIPTION_LENGTH),
    ),
  );

export const WorkspaceField = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ required: false, type: String, format: 'uuid', nullable: true, description }),
    IsOptional(),
    IsWorkspaceId(),
  );

export const ActiveField = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      required: false,
      type: Boolean,
      description: 'Whether events are delivered. `true` also enables a disabled webhook again',
    }),
    IsOptional(),
    rule('isActive', 'active must be true or false.', (value) => typeof value === 'boolean'),
  );

export const EventTypeField = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ required: false, type: String, example: 'sms.delivered' }),
    IsOptional(),
    rule('isEvent', unknownEvent, (value) => typeof value === 'string' && isEventType(value), 'INVALID_REQUEST'),
  );

/** A comma-separated list of event types in a query string. */
export const TypesField = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      required: false,
      type: String,
      example: 'sms.*,lead.captured',
      description: 'Returns events of these types, separated by commas. By default all events are returned',
    }),
    IsOptional(),
    rule(
      'areEventTypes',
      (value) => unknownEvent(unknownIn(value)),
      (value) => unknownIn(value) === undefined,
    ),
    rule(
      'areTypes',
      `types must be at most ${MAX_EVENTS} event types or groups such as sms.*, separated by commas.`,
      (value) => typeof value === 'string' && value.split(',').length <= MAX_EVENTS,
    ),
  );

/** The first event type of a comma-separated list that does not exist. */
function unknownIn(types: unknown): string | undefined {
  if (typeof types !== 'string') return undefined;
  return types
    .split(',')
    .slice(0, MAX_EVENTS)
    .find((event) => !isEventPattern(event));
}

function areHeaders(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const headers = Object.entries(value);
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  return (
    headers.length <= MAX_HEADERS &&
    names.size === headers.length &&
    headers.every(
      ([name, text]) =>
        HEADER_NAME.test(name) &&
        !RESERVED_HEADERS.has(name.toLowerCase()) &&
        typeof text === 'string' &&
        text.length <= MAX_HEADER_VALUE_LENGTH &&
        HEADER_VALUE.test(text),
    )
  );
}
