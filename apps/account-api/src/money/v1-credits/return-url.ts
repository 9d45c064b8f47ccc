import { fieldError } from '@heliograph/service-kit';

/**
 * Reads the URL to which the payment page redirects: any https URL, or an http URL of a configured origin. Throws
 * INVALID_REQUEST for other URLs and for URLs with credentials, which can imitate another host.
 */
export function readReturnUrl(field: string, text: string, ownOrigins: readonly string[]): string {
  const url = new URL(text);
  const isOwn = ownOrigins.includes(url.origin);
  const isPlain = url.username === '' && url.password === '' && !/[\\\s]/.test(text);
  if (isPlain && (url.protocol === 'https:' || (url.protocol === 'http:' && isOwn))) return url.href;
  throw fieldError(
    'INVALID_REQUEST',
    field,
    `${field} must be an https URL without credentials, or a URL of an origin in PUBLIC_ORIGINS.`,
  );
}
