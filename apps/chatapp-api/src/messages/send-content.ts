import type { Category, TemplateCategory } from '@heliograph/chatapp-catalog';
import { AppError } from '@heliograph/errors';
import { parseNumber, type DialedNumber } from '@heliograph/addresses';
import { isJsonObject } from '@heliograph/service-kit';
import { DEFAULT_LANGUAGE, INVALID_RECIPIENT, isMediaType, type SendRequest } from './send-request.dto';

/** The only supported policy; the provider's published schema requires it. */
const LANGUAGE_POLICY = 'deterministic';

/** The object that is sent to the provider under the name of the message type. */
export function contentOf(request: SendRequest): object | undefined {
  const { type, text, interactive } = request;
  switch (type) {
    case 'text':
      return { body: text };
    case 'template':
      return templateContent(request);
    case 'interactive':
      return interactive;
    default:
      return mediaContent(request);
  }
}

function templateContent(request: SendRequest): object {
  const { name, language } = templateOf(request) ?? {};
  const { components } = request.template ?? {};
  return { name, language: { policy: LANGUAGE_POLICY, code: language }, ...(components ? { components } : {}) };
}

function mediaContent({ type, media: { id, link, caption, filename } = {} }: SendRequest): object {
  return {
    ...(id ? { id } : { link }),
    ...(typeof caption === 'string' ? { caption } : {}),
    ...(typeof filename === 'string' && type === 'document' ? { filename } : {}),
  };
}

/** The template of a template message; null for the other types. */
export function templateOf({ type, template }: SendRequest): { name: string; language: string } | null {
  if (type !== 'template' || !template) return null;
  return { name: template.name, language: template.language ?? DEFAULT_LANGUAGE };
}

/**
 * Ids of all files in a message: the file itself, and files in headers and cards of templates and interactive messages.
 */
export function mediaIdsOf(request: SendRequest): string[] {
  const { type } = request;
  return [...new Set(idsWithin({ [type]: contentOf(request) }))];
}

/** Fields with data for a flow. The provider ignores media ids in them. */
const FLOW_DATA = ['flow_action_payload', 'flow_action_data'];

/** In the provider's format, a file is an object under its media type: `{"image": {"id": "…"}}`. */
function idsWithin(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(idsWithin);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (FLOW_DATA.includes(name)) return [];
    const id = isMediaType(name) && isJsonObject(inner) ? inner['id'] : undefined;
    // The provider also accepts an id that is a JSON number.
    return [...(typeof id === 'string' || typeof id === 'number' ? [String(id)] : []), ...idsWithin(inner)];
  });
}

export function recipientOf({ to }: SendRequest): DialedNumber {
  const number = parseNumber(to);
  if (!number) throw new AppError('INVALID_RECIPIENT', INVALID_RECIPIENT);
  return number;
}

/** The billing category of a message. `mirrored` is the category of the synced template; null if it is unknown. */
export function billedAs({ type, category }: SendRequest, mirrored: TemplateCategory | null): Category {
  return type === 'template' ? (mirrored ?? category ?? 'marketing') : 'service';
}
