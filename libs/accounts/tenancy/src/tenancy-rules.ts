import { AppError } from '@heliograph/errors';

/** 3 to 63 lower-case letters, digits and hyphens, without a leading or trailing hyphen. */
export const SLUG = /^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/;
const MAX_NAME_LENGTH = 200;

/** Throws VALIDATION_ERROR. */
export function checkSlug(slug: string): void {
  if (SLUG.test(slug)) return;
  throw new AppError(
    'VALIDATION_ERROR',
    'slug: must be 3 to 63 lower-case letters, digits and hyphens without a leading or trailing hyphen, such as "acme-main".',
  );
}

/** Line breaks, controls, and what mail programs turn into a link. Names appear in emails to strangers. */
const UNSOUND_IN_NAMES = /[\p{Cc}\u2028\u2029]|:\/\/|\bwww\./iu;

/** A display name: 1 to 200 characters without links, line breaks and control characters. Throws VALIDATION_ERROR. */
export function checkDisplayName(name: string, field: string): void {
  const isSound =
    name.trim() !== '' && name.length <= MAX_NAME_LENGTH && name.isWellFormed() && !UNSOUND_IN_NAMES.test(name);
  if (isSound) return;
  throw new AppError(
    'VALIDATION_ERROR',
    `${field}: must be 1 to ${MAX_NAME_LENGTH} characters without links, line breaks and control characters.`,
  );
}
