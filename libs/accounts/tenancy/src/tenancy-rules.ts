import { AppError } from '@heliograph/errors';
import { isDisplayText } from '@heliograph/service-kit';

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

/** What mail programs turn into a link. Names appear in emails to strangers. */
const LINK = /:\/\/|\bwww\./i;

/** A display name: 1 to 200 characters without links, line breaks, control and invisible characters. Throws VALIDATION_ERROR. */
export function checkDisplayName(name: string, field: string): void {
  if (name.trim() !== '' && isDisplayText(name, MAX_NAME_LENGTH) && !LINK.test(name)) return;
  throw new AppError(
    'VALIDATION_ERROR',
    `${field}: must be 1 to ${MAX_NAME_LENGTH} characters without links, line breaks, control and invisible characters, and look-alikes of the dot.`,
  );
}
