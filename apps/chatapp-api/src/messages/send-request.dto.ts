import type { Uri } from '@heliograph/contracts';
import { applyDecorators } from '@nestjs/common';
import { ApiHideProperty, ApiProperty } from '@nestjs/swagger';
import { isTemplateCategory, TEMPLATE_CATEGORIES } from '@heliograph/chatapp-catalog';
import type { ErrorCode } from '@heliograph/errors';
import { parseNumber } from '@heliograph/addresses';
import { Aliases, isJsonObject, isStorableText, isUrlText, rule, V1Request } from '@heliograph/service-kit';
import { IsOptional } from 'class-validator';

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

export class TemplateReference {
  @ApiProperty({ pattern: TEMPLATE_NAME.source })
  name: string;
  @ApiProperty({ default: DEFAULT_LANGUAGE })
  language?: string | null;
  /** Values of the placeholders, in the format of the provider. */
  @ApiProperty({ type: 'array', items: OBJECT })
  components?: object[] | null;
}

export class MediaReference {
  /** Id of a file, from the response of POST /chatapp/media. */
  id?: string | null;
  link?: Uri | null;
  @ApiProperty({ maxLength: MAX_TEXT })
  caption?: string | null;
  /** File name that the recipient sees. Only for documents. */
  @ApiProperty({ maxLength: MAX_TEXT })
  filename?: string | null;
}

/** Creates a rule that applies to messages of the given types. */
const ruleOf = (
  types: readonly MessageType[],
  name: string,
  message: string | ((value: unknown) => string),
  isValid: (value: unknown) => boolean,
  code: ErrorCode = 'INVALID_REQUEST',
  path?: string,
) =>
  rule<SendQuery>(
    name,
    message,
    (value, { type }) => !types.includes(type) || isValid(value),
    code,
    path === undefined ? undefined : () => path,
  );

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
    ruleOf(
      ['text'],
      'isText',
      (value) =>
        typeof value === 'string' || isMissing(value)
          ? 'text is required and must be valid UTF-8 without NUL characters.'
          : 'text must be a string, such as "text": "Hello". Do not send the object of the provider, {"body": …}.',
      (value) => isStorableText(value) && value.trim() !== '',
      'MISSING_TEXT',
    ),
    ruleOf(
      ['text'],
      'isShortText',
      `text must have at most ${MAX_TEXT} characters. Shorten it or send several messages.`,
      (value) => isStorableText(value, MAX_TEXT),
    ),
  );

/** Creates a rule for an object and its fields. `path`: the field that the rule is about; by default the object. */
const objectRuleOf =
  (types: readonly MessageType[]) =>
  (name: string, message: string, isValid: (fields: Fields) => boolean, code?: ErrorCode, path?: string) =>
    ruleOf(types, name, message, (value) => isJsonObject(value) && isValid(value), code, path);

const templateRule = objectRuleOf(['template']);
const IsTemplate = () =>
  applyDecorators(
    templateRule(
      'isTemplate',
      'template is required: an object with name, language and components.',
      ({ name }) => typeof name === 'string' && name !== '',
      'MISSING_TEMPLATE',
    ),
    templateRule(
      'hasTemplateName',
      'template.name may contain only lowercase letters, digits and underscores, at most 512.',
      ({ name }) => TEMPLATE_NAME.test(String(name)),
      'INVALID_REQUEST',
      'template.name',
    ),
    templateRule(
      'hasLanguage',
      'template.language must be a language code, such as en_US.',
      ({ language }) => isMissing(language) || (typeof language === 'string' && LANGUAGE.test(language)),
      'INVALID_REQUEST',
      'template.language',
    ),
    templateRule(
      'hasComponents',
      'template.components must be an array of objects.',
      ({ components }) => isMissing(components) || (Array.isArray(components) && components.every(isJsonObject)),
      'INVALID_REQUEST',
      'template.components',
    ),
    templateRule(
      'hasStorableComponents',
      'template.components contains text that is not valid UTF-8.',
      ({ components }) => isStorableJson(components),
      'INVALID_REQUEST',
      'template.components',
    ),
  );

const mediaRule = objectRuleOf(MEDIA_TYPES);
const isMediaText = (value: unknown): boolean => isMissing(value) || isStorableText(value, MAX_TEXT);
const IsMedia = () =>
  applyDecorators(
    mediaRule(
      'isMedia',
      'media is required and must be an object in a JSON body, with the id of an upload or the link of a file: {"id": "…"} or {"link": "https://…"}.',
      ({ id, link }) => !isMissing(id) || !isMissing(link),
      'MISSING_MEDIA',
    ),
    mediaRule(
      'isOneMedia',
      'media must have either an id or a link, not both.',
      ({ id, link }) => isMissing(id) || isMissing(link),
    ),
    mediaRule(
      'hasMediaId',
      'media.id must be the id from an upload response.',
      ({ id }) => isMissing(id) || (isStorableText(id, MAX_MEDIA_ID) && id !== ''),
      'MISSING_MEDIA',
      'media.id',
    ),
    mediaRule(
      'hasLink',
      'media.link must be an http or https URL of a file, without control and invisible characters.',
      ({ link }) => isMissing(link) || isWebAddress(link),
      'MISSING_MEDIA',
      'media.link',
    ),
    mediaRule(
      'hasCaption',
      `media.caption must be text of at most ${MAX_TEXT} characters.`,
      ({ caption }) => isMediaText(caption),
      'INVALID_REQUEST',
      'media.caption',
    ),
    mediaRule(
      'hasFileName',
      `media.filename must be text of at most ${MAX_TEXT} characters.`,
      ({ filename }) => isMediaText(filename),
      'INVALID_REQUEST',
      'media.filename',
    ),
  );

const IsInteractive = () =>
  applyDecorators(
    ruleOf(
      ['interactive'],
      'isInteractive',
      'interactive is required and must be an object. Send it in a JSON body.',
      (value) => isJsonObject(value) && Object.keys(value).length > 0,
      'MISSING_INTERACTIVE',
    ),
    ruleOf(
      ['interactive'],
      'isStorableInteractive',
      'interactive contains text that is not valid UTF-8.',
      isStorableJson,
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

type Fields = Readonly<Record<string, unknown>>;

function isWebAddress(value: unknown): boolean {
  return isUrlText(value, MAX_URL) && /^https?:$/.test(new URL(value).protocol);
}

/** Checks all nested text. The parser limits the depth. */
function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => isStorableText(name) && isStorableJson(inner));
}

function isMissing(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}
