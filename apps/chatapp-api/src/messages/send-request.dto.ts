import type { Uri } from '@heliograph/contracts';
import { applyDecorators } from '@nestjs/common';
import { ApiHideProperty, ApiProperty } from '@nestjs/swagger';
import { isTemplateCategory, TEMPLATE_CATEGORIES } from '@heliograph/chatapp-catalog';
import { parseNumber } from '@heliograph/addresses';
import {
  Aliases,
  isJsonObject,
  isStorableText,
  isUrlText,
  rule,
  V1Request,
  type RuleContext,
} from '@heliograph/service-kit';
import { Type } from 'class-transformer';
import { IsOptional, ValidateIf, ValidateNested } from 'class-validator';

const MEDIA_TYPES = ['image', 'document', 'audio', 'video', 'sticker'] as const;
export const MESSAGE_TYPES = ['text', 'template', ...MEDIA_TYPES, 'interactive'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

export function isMediaType(name: string): boolean {
  return MEDIA_TYPES.some((known) => known === name);
}

/** The provider rejects longer texts. */
const MAX_TEXT = 4_096;
const MAX_URL = 2_048;
const MAX_MEDIA_ID = 512;
export const DEFAULT_LANGUAGE = 'en_US';
const TEMPLATE_NAME = /^[a-z0-9_]{1,512}$/;
const LANGUAGE = /^[a-z]{2,3}(?:_[A-Za-z]{2,8}){0,2}$/;
const OBJECT = { type: 'object', additionalProperties: true } as const;

const isWebAddress = (value: unknown): boolean =>
  isUrlText(value, MAX_URL) && /^https?:$/.test(new URL(value).protocol);
const IsMediaText = () =>
  rule(
    'isMediaText',
    `$property must be text of at most ${MAX_TEXT} characters.`,
    (value) => isStorableText(value, MAX_TEXT),
    'INVALID_REQUEST',
  );
const TEMPLATE_RULE = 'template is required: an object with name, language and components.';

export class TemplateReference {
  @ApiProperty({ pattern: TEMPLATE_NAME.source })
  @rule(
    'isTemplateName',
    '$property may contain only lowercase letters, digits and underscores, at most 512.',
    (value) => TEMPLATE_NAME.test(String(value)),
    'INVALID_REQUEST',
  )
  @rule('isName', TEMPLATE_RULE, (value) => typeof value === 'string' && value !== '', 'MISSING_TEMPLATE')
  name: string;
  @ApiProperty({ default: DEFAULT_LANGUAGE })
  @IsOptional()
  @rule(
    'isLanguage',
    '$property must be a language code, such as en_US.',
    (value) => typeof value === 'string' && LANGUAGE.test(value),
    'INVALID_REQUEST',
  )
  language?: string | null;
  /** Values of the placeholders, in the format of the provider. */
  @ApiProperty({ type: 'array', items: OBJECT })
  @IsOptional()
  @rule('isStorable', '$property contains text that is not valid UTF-8.', isStorableJson, 'INVALID_REQUEST')
  @rule(
    'areObjects',
    '$property must be an array of objects.',
    (value) => Array.isArray(value) && value.every(isJsonObject),
    'INVALID_REQUEST',
  )
  components?: object[] | null;
}

export class MediaReference {
  /** Id of a file, from the response of POST /chatapp/media. */
  @IsOptional()
  @rule(
    'isMediaId',
    '$property must be the id from an upload response.',
    (value) => isStorableText(value, MAX_MEDIA_ID) && value !== '',
    'MISSING_MEDIA',
  )
  id?: string | null;
  @IsOptional()
  @rule(
    'isWebAddress',
    '$property must be an http or https URL of a file, without control and invisible characters.',
    isWebAddress,
    'MISSING_MEDIA',
  )
  link?: Uri | null;
  @ApiProperty({ maxLength: MAX_TEXT })
  @IsOptional()
  @IsMediaText()
  caption?: string | null;
  /** File name that the recipient sees. Only for documents. */
  @ApiProperty({ maxLength: MAX_TEXT })
  @IsOptional()
  @IsMediaText()
  filename?: string | null;
}

/** The rules of a field apply to messages of these types only. */
const OnlyFor = (...types: readonly MessageType[]) => ValidateIf(({ type }: SendQuery) => types.includes(type));

export const INVALID_RECIPIENT = 'to must be an E.164 number, such as +919876543210.';
const IsRecipient = () =>
  rule(
    'isRecipient',
    INVALID_RECIPIENT,
    (value) => typeof value === 'string' && parseNumber(value) !== null,
    'INVALID_RECIPIENT',
  );

const IsMessageType = () =>
  rule(
    'isMessageType',
    `type must be one of ${MESSAGE_TYPES.join(', ')}.`,
    (value) => MESSAGE_TYPES.some((known) => known === value),
    'UNSUPPORTED_TYPE',
  );

const IsText = () =>
  applyDecorators(
    OnlyFor('text'),
    rule(
      'isText',
      (value) =>
        typeof value === 'string' || isMissing(value)
          ? 'text is required and must be valid UTF-8 without NUL characters.'
          : 'text must be a string, such as "text": "Hello". Do not send the object of the provider, {"body": …}.',
      (value) => isStorableText(value) && value.trim() !== '',
      'MISSING_TEXT',
    ),
    rule(
      'isShortText',
      `text must have at most ${MAX_TEXT} characters. Shorten it or send several messages.`,
      (value) => isStorableText(value, MAX_TEXT),
      'INVALID_REQUEST',
    ),
  );

const IsTemplate = () =>
  applyDecorators(
    OnlyFor('template'),
    ValidateNested({ message: TEMPLATE_RULE, context: { code: 'MISSING_TEMPLATE' } satisfies RuleContext }),
    Type(() => TemplateReference),
  );

const IsMedia = () =>
  applyDecorators(
    OnlyFor(...MEDIA_TYPES),
    rule(
      'isMedia',
      'media is required and must be an object in a JSON body, with the id of an upload or the link of a file: {"id": "…"} or {"link": "https://…"}.',
      (media) => media instanceof MediaReference && !(isMissing(media.id) && isMissing(media.link)),
      'MISSING_MEDIA',
    ),
    rule(
      'isOneMedia',
      'media must have either an id or a link, not both.',
      (media) => media instanceof MediaReference && (isMissing(media.id) || isMissing(media.link)),
      'INVALID_REQUEST',
    ),
    ValidateNested(),
    Type(() => MediaReference),
  );

const IsInteractive = () =>
  applyDecorators(
    OnlyFor('interactive'),
    rule(
      'isInteractive',
      'interactive is required and must be an object. Send it in a JSON body.',
      (value) => isJsonObject(value) && Object.keys(value).length > 0,
      'MISSING_INTERACTIVE',
    ),
    rule(
      'isStorableInteractive',
      'interactive contains text that is not valid UTF-8.',
      isStorableJson,
      'INVALID_REQUEST',
    ),
  );

export const IsTemplateCategory = () =>
  rule(
    'isTemplateCategory',
    'category must be marketing, utility or authentication.',
    isTemplateCategory,
    'INVALID_CATEGORY',
  );

/**
 * The request of every call style, described for query strings. Its rules check the formats of the fields in the order
 * of the contract; SendService checks whether a template or a file exists.
 */
export class SendQuery {
  /**
   * Phone number of the recipient in E.164 format. Aliases in forms and query strings: `recipient`, `number`, `msisdn`, `mobile`, `phone`.
   * @example +919876543210
   */
  @Aliases('recipient', 'number', 'msisdn', 'mobile', 'phone')
  @IsRecipient()
  to: string;

  /** Type of the message. By default `text`, or `template` if a form or query contains a template. */
  @ApiProperty({ nullable: true })
  @IsMessageType()
  type: (typeof MESSAGE_TYPES)[number] = 'text';

  /** Text of the message. Only for type `text`. Aliases in forms and query strings: `message`, `body`, `msg`, `content`. */
  @ApiProperty({ nullable: true, maxLength: MAX_TEXT })
  @Aliases('message', 'body', 'msg', 'content')
  @IsText()
  text?: string;

  @ApiHideProperty()
  @Aliases('language')
  @IsTemplate()
  template?: TemplateReference;

  @ApiHideProperty()
  @IsMedia()
  media?: MediaReference;

  @ApiHideProperty()
  @IsInteractive()
  interactive?: object;

  /** Billing category of a template that has not been synced yet. The default is `marketing`. */
  @ApiProperty({ nullable: true })
  @IsOptional()
  @IsTemplateCategory()
  category?: (typeof TEMPLATE_CATEGORIES)[number];
}

/** The request, described for bodies. */
export class SendRequest extends SendQuery {
  /**
   * Only for type `template`. In forms and query strings, this field is the name of the template, and the field `language` is its language.
   */
  @ApiProperty({ nullable: true })
  override template?: TemplateReference;

  /** File to send, with either an id or a link. Only for the types `image`, `document`, `audio`, `video` and `sticker`, in JSON bodies. */
  @ApiProperty({ nullable: true })
  override media?: MediaReference;

  /** Content in the format of the provider. Only for type `interactive`, in JSON bodies. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  override interactive?: object;
}

/** The body of a quote: that of a send, whose error lists every invalid field. */
@V1Request()
export class V1QuoteRequest extends SendRequest {}

/** Checks all nested text. The parser limits the depth. */
function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => isStorableText(name) && isStorableJson(inner));
}

function isMissing(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}
