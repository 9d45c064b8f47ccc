import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { isTemplateCategory, TEMPLATE_CATEGORIES, type TemplateCategory } from '@heliograph/chatapp-catalog';
import type { ErrorCode } from '@heliograph/errors';
import { parseNumber } from '@heliograph/phone';
import { isJsonObject, isStorableText, rule } from '@heliograph/service-kit';
import { IsOptional } from 'class-validator';

const MEDIA_TYPES = ['image', 'document', 'audio', 'video', 'sticker'] as const;
export const MESSAGE_TYPES = ['text', 'template', ...MEDIA_TYPES, 'interactive'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

export function isMediaType(name: string): boolean {
  return MEDIA_TYPES.some((known) => known === name);
}

/** The provider refuses longer text. */
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
  @ApiProperty({ required: false, type: String, nullable: true, default: DEFAULT_LANGUAGE })
  language?: string | null;
  @ApiProperty({
    required: false,
    type: 'array',
    nullable: true,
    items: OBJECT,
    description: 'Values for the placeholders, in the provider’s format',
  })
  components?: object[] | null;
}

export class MediaReference {
  @ApiProperty({ required: false, type: String, nullable: true, description: 'Media id from POST /chatapp/media' })
  id?: string | null;
  @ApiProperty({ required: false, type: String, nullable: true, format: 'uri' })
  link?: string | null;
  @ApiProperty({ required: false, type: String, nullable: true, maxLength: MAX_TEXT })
  caption?: string | null;
  @ApiProperty({
    required: false,
    type: String,
    nullable: true,
    maxLength: MAX_TEXT,
    description: 'File name of a document',
  })
  filename?: string | null;
}

/** A rule for messages of the given types. */
const ruleOf = (
  types: readonly MessageType[],
  name: string,
  message: string,
  isValid: (value: unknown) => boolean,
  code: ErrorCode = 'INVALID_REQUEST',
) => rule<SendQuery>(name, message, (value, { type }) => !types.includes(type) || isValid(value), code);

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
      'text is required and must be valid UTF-8 without NUL characters.',
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

/** A rule for an object and its fields. */
const objectRuleOf =
  (types: readonly MessageType[]) =>
  (name: string, message: string, isValid: (fields: Fields) => boolean, code?: ErrorCode) =>
    ruleOf(types, name, message, (value) => isJsonObject(value) && isValid(value), code);

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
    ),
    templateRule(
      'hasLanguage',
      'template.language must be a language code, such as en_US.',
      ({ language }) => isMissing(language) || (typeof language === 'string' && LANGUAGE.test(language)),
    ),
    templateRule(
      'hasComponents',
      'template.components must be an array of objects.',
      ({ components }) => isMissing(components) || (Array.isArray(components) && components.every(isJsonObject)),
    ),
    templateRule(
      'hasStorableComponents',
      'template.components contains text that is not valid UTF-8.',
      ({ components }) => isStorableJson(components),
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
    ),
    mediaRule(
      'hasLink',
      'media.link must be an http or https URL of a file.',
      ({ link }) => isMissing(link) || isWebAddress(link),
      'MISSING_MEDIA',
    ),
    mediaRule('hasCaption', `media.caption must be text of at most ${MAX_TEXT} characters.`, ({ caption }) =>
      isMediaText(caption),
    ),
    mediaRule('hasFileName', `media.filename must be text of at most ${MAX_TEXT} characters.`, ({ filename }) =>
      isMediaText(filename),
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
 * The request of every call style, described for query strings. Its rules check the forms of the fields in the order of
 * the contract; SendService checks whether a template or a file exists.
 */
export class SendQuery {
  @ApiProperty({
    description: 'E.164. Form and query aliases: recipient, number, msisdn, mobile, phone',
    example: '+919876543210',
  })
  @IsRecipient()
  to: string;

  @ApiProperty({
    required: false,
    enum: MESSAGE_TYPES,
    nullable: true,
    description: 'Defaults to text, or to template when a form or query contains a template',
  })
  @IsMessageType()
  type: MessageType = 'text';

  @ApiProperty({
    required: false,
    type: String,
    nullable: true,
    maxLength: MAX_TEXT,
    description: 'For type text. Form and query aliases: message, body, msg, content',
  })
  @IsText()
  text?: string;

  @IsTemplate()
  template?: TemplateReference;

  @IsMedia()
  media?: MediaReference;

  @IsInteractive()
  interactive?: object;

  @ApiProperty({
    required: false,
    enum: TEMPLATE_CATEGORIES,
    nullable: true,
    description: 'Billing category of a template that has not been synced yet; defaults to marketing',
  })
  @IsOptional()
  @IsTemplateCategory()
  category?: TemplateCategory;
}

/** The request, described for bodies. */
export class SendRequest extends SendQuery {
  @ApiProperty({
    required: false,
    type: TemplateReference,
    nullable: true,
    description: 'For type template. In a form or query only the name, with the language in a field language',
  })
  override template?: TemplateReference;

  @ApiProperty({
    required: false,
    type: MediaReference,
    nullable: true,
    description: 'For image, document, audio, video and sticker; JSON only. Either an id or a link',
  })
  override media?: MediaReference;

  @ApiProperty({
    selfRequired: false,
    ...OBJECT,
    nullable: true,
    description: 'For type interactive, in the provider’s format; JSON only',
  })
  override interactive?: object;
}

type Fields = Readonly<Record<string, unknown>>;

function isWebAddress(value: unknown): boolean {
  return isStorableText(value, MAX_URL) && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
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
