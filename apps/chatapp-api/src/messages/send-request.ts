import { isTemplateCategory, type Category, type TemplateCategory } from '@heliograph/chatapp-catalog';
import { AppError, type ErrorCode } from '@heliograph/errors';
import { parseNumber, type DialedNumber } from '@heliograph/phone';
import { isJsonObject, singleField } from '@heliograph/service-kit';

export const MESSAGE_TYPES = [
  'text',
  'template',
  'image',
  'document',
  'audio',
  'video',
  'sticker',
  'interactive',
] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** The provider refuses longer text. */
const MAX_TEXT = 4_096;
const MAX_URL = 2_048;
const DEFAULT_LANGUAGE = 'en_US';
/** The only supported policy; the provider's published schema requires it. */
const LANGUAGE_POLICY = 'deterministic';
const TEMPLATE_NAME = /^[a-z0-9_]{1,512}$/;
const LANGUAGE = /^[a-z]{2,3}(?:_[A-Za-z]{2,8}){0,2}$/;

/** Names of the fields in a query string and in a form, canonical name first. */
export const FIELD_NAMES = {
  to: ['to', 'recipient', 'number', 'msisdn', 'mobile', 'phone'],
  text: ['text', 'message', 'body', 'msg', 'content'],
  type: ['type'],
  template: ['template'],
  language: ['language'],
  category: ['category'],
} as const;

/** A validated send request. Nothing has been looked up yet. */
export interface SendRequest {
  to: DialedNumber;
  type: MessageType;
  /** The object that the provider gets under the name of the type. */
  content: Record<string, unknown>;
  template: { name: string; language: string } | null;
  /** Id of the uploaded file, if the request names one. */
  mediaId: string | null;
  category: TemplateCategory | null;
}

/** The unvalidated fields of a JSON body. */
export type SendFields = Record<string, unknown>;

/** Converts the fields of a query string or form to those of a JSON body. Throws a FieldError for a repeated field. */
export function fieldsFromForm(pairs: ReadonlyMap<string, readonly string[]>): SendFields {
  const pick = (names: readonly string[]): string | undefined => {
    const values = names.map((name) => singleField(name, pairs.get(name)));
    return values.find((value) => value !== undefined && value !== '');
  };
  const fields: SendFields = {};
  for (const [field, names] of Object.entries(FIELD_NAMES)) {
    const value = pick(names);
    if (value !== undefined) fields[field] = value;
  }
  const { template, language } = fields;
  delete fields['language'];
  if (template !== undefined) {
    fields['template'] = { name: template, ...(language === undefined ? {} : { language }) };
    fields['type'] ??= 'template';
  }
  return fields;
}

/** Validates the fields in the contract's order. Throws the error code of the first invalid field. */
export function toSendRequest(fields: SendFields): SendRequest {
  const to = typeof fields['to'] === 'string' ? parseNumber(fields['to']) : null;
  if (!to) {
    throw new AppError('INVALID_RECIPIENT', 'to must be an E.164 number, such as +919876543210.');
  }
  const type = typeOf(fields['type']);
  return { to, type, ...contentOf(type, fields), category: categoryOf(fields['category']) };
}

function typeOf(value: unknown): MessageType {
  if (isMissing(value)) return 'text';
  const type = MESSAGE_TYPES.find((known) => known === value);
  if (type) return type;
  throw new AppError('UNSUPPORTED_TYPE', `type must be one of ${MESSAGE_TYPES.join(', ')}.`);
}

function contentOf(type: MessageType, fields: SendFields): Pick<SendRequest, 'content' | 'template' | 'mediaId'> {
  switch (type) {
    case 'text':
      return { content: { body: textOf(fields['text']) }, template: null, mediaId: null };
    case 'template':
      return templateOf(fields['template']);
    case 'interactive':
      return { content: interactiveOf(fields['interactive']), template: null, mediaId: null };
    default:
      return mediaOf(type, fields['media']);
  }
}

function textOf(value: unknown): string {
  if (!isSendableText(value) || value.trim() === '') {
    throw new AppError('MISSING_TEXT', 'text is required and must be valid UTF-8 without NUL characters.');
  }
  if (value.length > MAX_TEXT) {
    throw refuse(`text must have at most ${MAX_TEXT} characters. Shorten it or send several messages.`);
  }
  return value;
}

function templateOf(value: unknown): Pick<SendRequest, 'content' | 'template' | 'mediaId'> {
  const name = isJsonObject(value) ? value['name'] : undefined;
  if (!isJsonObject(value) || typeof name !== 'string' || name === '') {
    throw new AppError('MISSING_TEMPLATE', 'template is required: an object with name, language and components.');
  }
  if (!TEMPLATE_NAME.test(name)) {
    throw refuse('template.name may contain only lowercase letters, digits and underscores, at most 512.');
  }
  const language = isMissing(value['language']) ? DEFAULT_LANGUAGE : value['language'];
  if (typeof language !== 'string' || !LANGUAGE.test(language)) {
    throw refuse('template.language must be a language code, such as en_US.');
  }
  const components = value['components'];
  if (!isMissing(components) && !(Array.isArray(components) && components.every(isJsonObject))) {
    throw refuse('template.components must be an array of objects.');
  }
  if (!isSendableJson(components)) throw refuse('template.components contains text that is not valid UTF-8.');
  return {
    content: {
      name,
      language: { policy: LANGUAGE_POLICY, code: language },
      ...(isMissing(components) ? {} : { components }),
    },
    template: { name, language },
    mediaId: null,
  };
}

function interactiveOf(value: unknown): Record<string, unknown> {
  if (!isJsonObject(value) || Object.keys(value).length === 0) {
    throw new AppError('MISSING_INTERACTIVE', 'interactive is required and must be an object. Send it in a JSON body.');
  }
  if (!isSendableJson(value)) throw refuse('interactive contains text that is not valid UTF-8.');
  return value;
}

function mediaOf(type: MessageType, value: unknown): Pick<SendRequest, 'content' | 'template' | 'mediaId'> {
  const { id, link, caption, filename } = isJsonObject(value) ? value : {};
  if (isMissing(id) && isMissing(link)) {
    throw new AppError(
      'MISSING_MEDIA',
      'media is required and must be an object in a JSON body, with the id of an upload or the link of a file: {"id": "…"} or {"link": "https://…"}.',
    );
  }
  if (!isMissing(id) && !isMissing(link)) throw refuse('media must have either an id or a link, not both.');
  if (!isMissing(id) && (!isSendableText(id) || id === '' || id.length > 512)) {
    throw new AppError('MISSING_MEDIA', 'media.id must be the id from an upload response.');
  }
  if (!isMissing(link) && !isWebAddress(link)) {
    throw new AppError('MISSING_MEDIA', 'media.link must be an http or https URL of a file.');
  }
  const extras: Record<string, unknown> = {};
  for (const [name, text] of Object.entries({ caption, filename })) {
    if (isMissing(text)) continue;
    if (!isSendableText(text) || text.length > MAX_TEXT) {
      throw refuse(`media.${name} must be text of at most ${MAX_TEXT} characters.`);
    }
    if (name === 'caption' || type === 'document') extras[name] = text;
  }
  const content = { ...(isMissing(id) ? { link } : { id }), ...extras };
  return { content, template: null, mediaId: typeof id === 'string' ? id : null };
}

function categoryOf(value: unknown): TemplateCategory | null {
  if (isMissing(value)) return null;
  const category = typeof value === 'string' ? value.toLowerCase() : value;
  if (isTemplateCategory(category)) return category;
  throw new AppError('INVALID_CATEGORY', 'category must be marketing, utility or authentication.');
}

/** The billing category of a message. `mirrored`: the category of the synced template; null if it is unknown. */
export function billedAs({ type, category }: SendRequest, mirrored: TemplateCategory | null): Category {
  return type === 'template' ? (mirrored ?? category ?? 'marketing') : 'service';
}

function isWebAddress(value: unknown): value is string {
  if (!isSendableText(value) || value.length > MAX_URL || !URL.canParse(value)) return false;
  return /^https?:$/.test(new URL(value).protocol);
}

/** Text that PostgreSQL and UTF-8 can hold: without NUL and lone surrogates. */
function isSendableText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed();
}

/** Applies the same check to all nested text. The parser limits the depth. */
function isSendableJson(value: unknown): boolean {
  if (typeof value === 'string') return isSendableText(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => isSendableText(name) && isSendableJson(inner));
}

function isMissing(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function refuse(message: string, code: ErrorCode = 'INVALID_REQUEST'): AppError {
  return new AppError(code, message);
}
