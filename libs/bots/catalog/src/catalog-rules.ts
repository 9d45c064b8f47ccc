import { AppError } from '@heliograph/errors';
import { randomBase62 } from '@heliograph/secrets';
import { cleanAddress, cleanLine, cleanText } from './clean-text';

const ID = /^[a-z0-9][a-z0-9_.:~-]{0,99}$/i;
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const GENERATED_LENGTH = 16;
const MAX_ADDRESS_LENGTH = 2_000;

export const MAX_NAME_LENGTH = 200;

export function invalid(field: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', `${field}: ${message}`);
}

/** Sanitizes text to one line; null if the result is empty. `most` is in code points. Throws VALIDATION_ERROR. */
export function lineOf(field: string, value: string | null, most: number): string | null {
  if (value === null) return null;
  refuseLong(field, value, most);
  return cleanLine(value) || null;
}

/** As `lineOf`, but keeps line breaks. */
export function textOf(field: string, value: string | null, most: number): string | null {
  if (value === null) return null;
  refuseLong(field, value, most);
  return cleanText(value) || null;
}

/** Sanitizes required text. Throws VALIDATION_ERROR if nothing remains without markup. */
export function filled(field: string, value: string | null): string {
  if (value !== null) return value;
  throw invalid(field, 'must contain text other than markup.');
}

/** Sanitizes a list of lines, without empty lines and duplicates. Throws VALIDATION_ERROR. */
export function linesOf(field: string, values: readonly string[], mostLines: number, mostEach: number): string[] {
  if (values.length > mostLines) throw invalid(field, `must be at most ${mostLines} texts.`);
  return [...new Set(values.flatMap((value, index) => lineOf(`${field}[${index}]`, value, mostEach) ?? []))];
}

/** Checks an id for use in pages and paths. Throws VALIDATION_ERROR. */
export function checkPublicId(field: string, id: string): string {
  if (ID.test(id)) return id;
  throw invalid(field, 'must be 1 to 100 letters, digits and any of _ . : ~ -, starting with a letter or digit.');
}

/** `<prefix>_` and 16 random letters and digits (95 bits). */
export function newPublicId(prefix: string): string {
  return `${prefix}_${randomBase62(GENERATED_LENGTH)}`;
}

/** Throws VALIDATION_ERROR. */
export function checkBotSlug(slug: string): string {
  if (SLUG.test(slug)) return slug;
  throw invalid('slug', 'must be 1 to 63 lower-case letters, digits and inner hyphens, such as acme-help.');
}

/** Derives a slug from a name; null if the name contains no character that a slug may have. */
export function slugOf(name: string): string | null {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '');
  return slug || null;
}

/** Returns the canonical form of a BCP 47 tag: `pt_br` becomes `pt-BR`. Throws VALIDATION_ERROR. */
export function checkLocale(locale: string): string {
  try {
    const [canonical] = locale.length > 35 ? [] : Intl.getCanonicalLocales(locale.trim().replaceAll('_', '-'));
    if (canonical !== undefined) return canonical;
  } catch {
    // Reported below.
  }
  throw invalid('locale', 'must be a language tag, such as en, hi or pt-BR.');
}

/** Returns an http or https URL in its normalized form. Throws VALIDATION_ERROR. */
export function checkAddress(field: string, address: string | null): string | null {
  if (address === null) return null;
  const clean = cleanAddress(address);
  if (clean !== null && clean.length <= MAX_ADDRESS_LENGTH) return clean;
  throw invalid(
    field,
    `must be a URL of at most ${MAX_ADDRESS_LENGTH} characters that starts with https:// or http://, without control and invisible characters.`,
  );
}

/** Checks a display order. Throws VALIDATION_ERROR. */
export function checkOrder(order: number): number {
  if (Number.isInteger(order) && Math.abs(order) <= 1_000_000) return order;
  throw invalid('displayOrder', 'must be a whole number from -1000000 to 1000000.');
}

function refuseLong(field: string, value: string, most: number): void {
  // A string never has more code points than UTF-16 units, so most strings need no count.
  if (value.length <= most || (value.length <= 2 * most && [...value].length <= most)) return;
  throw invalid(field, `must be at most ${most} characters.`);
}
