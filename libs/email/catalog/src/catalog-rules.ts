import { readDomainName, readEmailAddress } from '@heliograph/addresses';
import { parseEmailTemplate } from '@heliograph/email-text';
import { AppError } from '@heliograph/errors';

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export function isSlug(slug: string): boolean {
  return SLUG.test(slug);
}

/** Throws VALIDATION_ERROR. */
export function checkTemplateSlug(slug: string): void {
  if (isSlug(slug)) return;
  throw new AppError(
    'VALIDATION_ERROR',
    'slug: must be 1 to 63 lower-case letters, digits and inner hyphens, such as order-shipped.',
  );
}

/** Returns the name in lower case and A-labels. Throws VALIDATION_ERROR. */
export function checkDomainName(text: string): string {
  const name = readDomainName(text);
  if (name !== null) return name;
  throw new AppError(
    'VALIDATION_ERROR',
    'name: must be a domain name of at least two labels, such as mail.example.com.',
  );
}

/** Returns the address with its domain in A-labels. Throws VALIDATION_ERROR. */
export function checkAddress(text: string): string {
  const address = readEmailAddress(text);
  if (address !== null) return address;
  throw new AppError(
    'VALIDATION_ERROR',
    'address: must be a single email address without a name, such as hello@example.com.',
  );
}

/** Returns the root names that the parts use. Throws VALIDATION_ERROR without a part, INVALID_TEMPLATE. */
export function checkTemplateParts(parts: {
  subject: string | null;
  html: string | null;
  text: string | null;
}): string[] {
  if (parts.subject === null && parts.html === null && parts.text === null) {
    throw new AppError('VALIDATION_ERROR', 'subject, html, text: at least one is required.');
  }
  return [...parseEmailTemplate(parts).variables];
}
