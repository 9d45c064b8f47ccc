import { refusal } from '../graph-error';
import type { Template } from './catalogue';

const PAGE_SIZE = 25;
const MAX_PAGE_SIZE = 250;
const DEFAULT_FIELDS = ['name', 'parameter_format', 'components', 'language', 'status', 'category'];
/** The fields of the provider. The answer omits those that the simulator does not support. */
const FIELDS = new Set([
  ...DEFAULT_FIELDS,
  'id',
  'correct_category',
  'cta_url_link_tracking_opted_out',
  'library_template_name',
  'message_send_ttl_seconds',
  'previous_category',
  'quality_score',
  'rejected_reason',
  'sub_category',
]);

/** `GET …/message_templates`: a page of the requested templates. `url` is the URL of the call without its query. */
export function templatePage(templates: readonly Template[], query: URLSearchParams, url: string): object {
  const fields = fieldsOf(query.get('fields'));
  const limit = limitOf(query.get('limit'));
  const after = placeOf(query.get('after'));
  const rest = templates.filter((template) => template.place > after && isAskedFor(template, query));
  const page = rest.slice(0, limit);
  const first = page[0];
  const last = page.at(-1);
  const data = page.map((template) => show(template, fields));
  if (!first || !last) return { data };
  const cursors = { before: cursorOf(first), after: cursorOf(last) };
  if (rest.length === page.length) return { data, paging: { cursors } };
  const next = new URLSearchParams(query);
  next.set('limit', String(limit));
  next.set('after', cursors.after);
  return { data, paging: { cursors, next: `${url}?${next.toString()}` } };
}

function isAskedFor(template: Template, query: URLSearchParams): boolean {
  const asks = (key: 'name' | 'language' | 'status' | 'category', upper = false): boolean => {
    const value = query.get(key);
    return value === null || value === '' || template[key] === (upper ? value.toUpperCase() : value);
  };
  return asks('name') && asks('language') && asks('status', true) && asks('category', true);
}

function show(template: Template, fields: readonly string[]): Record<string, unknown> {
  const { id, name, language, status, category, components, parameterFormat, messageTtl } = template;
  const all: Readonly<Record<string, unknown>> = {
    name,
    parameter_format: parameterFormat,
    components,
    language,
    status,
    category,
    ...(messageTtl === undefined ? {} : { message_send_ttl_seconds: messageTtl }),
    rejected_reason: status === 'REJECTED' ? 'INVALID_FORMAT' : 'NONE',
  };
  const asked = fields.filter((field) => Object.hasOwn(all, field));
  return { ...Object.fromEntries(asked.map((field) => [field, all[field]])), id };
}

function fieldsOf(text: string | null): string[] {
  if (!text) return DEFAULT_FIELDS;
  const fields = text.split(',').map((field) => field.trim());
  const unknown = fields.find((field) => !FIELDS.has(field));
  if (unknown !== undefined) throw refusal(100, `unknown field ${unknown}; supported fields: ${[...FIELDS].join()}`);
  return fields;
}

function limitOf(text: string | null): number {
  if (text === null) return PAGE_SIZE;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw refusal(100, 'limit must be a positive number');
  return Math.min(Number(text), MAX_PAGE_SIZE);
}

function cursorOf({ place }: Template): string {
  return Buffer.from(String(place)).toString('base64url');
}

function placeOf(cursor: string | null): number {
  if (cursor === null) return 0;
  const place = Buffer.from(cursor, 'base64url').toString();
  if (!/^\d{1,15}$/.test(place)) throw refusal(100, 'after is not a valid cursor');
  return Number(place);
}
