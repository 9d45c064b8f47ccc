import { fieldError } from '@heliograph/service-kit';

/**
 * The page to which the payment page leads back: any https page, or a page of an own origin. Throws INVALID_REQUEST, also
 * for a URL with credentials, which look like another host.
 */
export function readReturnUrl(field: string, text: string, ownOrigins: readonly string[]): string {
  const url = new URL(text);
  const isOwn = ownOrigins.includes(url.origin);
  const isPlain = url.username === '' && url.password === '' && !/[\\\s]/.test(text);
  if (isPlain && (url.protocol === 'https:' || (url.protocol === 'http:' && isOwn))) return url.href;
  throw fieldError('INVALID_REQUEST', field, `${field} must be an https URL, or a URL of an own origin.`);
}
