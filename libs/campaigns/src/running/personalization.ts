import type { Contact } from '@heliograph/contacts';
import { AppError } from '@heliograph/errors';

/** The fields of a contact that contents can use. */
export function variablesOf({ id, attributes, ...contact }: Contact): Record<string, unknown> {
  return {
    contact_id: id,
    email: contact.email,
    phone: contact.phone,
    first_name: contact.firstName,
    last_name: contact.lastName,
    language: contact.language,
    country: contact.country,
    time_zone: contact.timeZone,
    attributes,
  };
}

const MAX_OUTPUT_LENGTH = 100_000;
/** `{{ name }}`, `{{ attributes.name }}`, and both with a default text after `| default:`. */
const OUTPUT = /\{\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+)?)\s*(?:\|\s*default:\s*(?:"([^"{}]*)"|'([^'{}]*)')\s*)?\}\}/g;

/** An output that is no placeholder, or a tag of Liquid. */
const INVALID = /\{\{|\{%[^{}]*%\}/;
const MAX_EXCERPT_LENGTH = 40;

interface Piece {
  text: string;
  path?: string[];
}

/** A parsed text with placeholders for fields of a contact. */
export type PersonalizedText = readonly Piece[];

/** Throws INVALID_REQUEST for braces that are not a valid placeholder. The message starts with their line and column. */
export function parsePersonalized(text: string): PersonalizedText {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(OUTPUT)) {
    const [whole, path = '', double, single] = match;
    pieces.push({ text: text.slice(end, match.index) }, { text: double ?? single ?? '', path: path.split('.') });
    end = match.index + whole.length;
  }
  pieces.push({ text: text.slice(end) });
  const fault = faultOf(text);
  if (fault !== null) throw new AppError('INVALID_REQUEST', fault);
  return pieces;
}

/** Describes the first braces that are not a valid placeholder, with their position; null if there are none. */
function faultOf(text: string): string | null {
  // Valid placeholders are replaced by text of the same length, so that positions stay the same.
  const rest = text.replace(OUTPUT, (placeholder) => ' '.repeat(placeholder.length));
  const { index } = INVALID.exec(rest) ?? {};
  if (index === undefined) return null;
  const before = text.slice(0, index).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  const excerpt = text.slice(index, index + MAX_EXCERPT_LENGTH).toWellFormed();
  return (
    `line ${before.length}, column ${column}: the placeholder at "${excerpt}" is not valid. ` +
    'Write {{ first_name }}, {{ attributes.plan }} or {{ first_name | default: "there" }}. Tags such as {% if %} are not supported here.'
  );
}

/** The text, if it is the same for all contacts; otherwise null. */
export function constantText(pieces: PersonalizedText): string | null {
  return pieces.some(({ path }) => path) ? null : pieces.map(({ text }) => text).join('');
}

export function personalize(pieces: PersonalizedText, variables: Record<string, unknown>): string {
  const text = pieces.map((piece) => (piece.path ? valueAt(variables, piece.path) || piece.text : piece.text)).join('');
  if (text.length > MAX_OUTPUT_LENGTH) throw new AppError('INVALID_REQUEST', 'The personalized text is too long.');
  return text;
}

function valueAt(variables: Record<string, unknown>, path: readonly string[]): string {
  let value: unknown = variables;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return '';
    value = (value as Record<string, unknown>)[name];
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
