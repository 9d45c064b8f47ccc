import { AppError } from '@heliograph/errors';
import type { Request } from 'express';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

export function isWrite({ method }: Request): boolean {
  return !READING.has(method);
}

/**
 * A browser adds the cookie to whatever page makes it call, so a write must come from a page of ours. `origins`
 * undefined: of the origin that was asked. Throws FORBIDDEN.
 */
export function refuseForeignOrigin(request: Request, origins: readonly string[] | undefined): void {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (origin !== undefined ? isOwn(origin, request, origins) : site === 'same-origin') return;
  throw new AppError(
    'FORBIDDEN',
    'A write with a session cookie must come from a page of this site: it needs an Origin or Sec-Fetch-Site of ours. Programs use an API key.',
  );
}

/** Of a login, which has no cookie yet: a foreign page may not log its visitor in as somebody else. Throws FORBIDDEN. */
export function refuseForeignLogin(request: Request, origins: readonly string[] | undefined): void {
  const { origin } = request.headers;
  const isForeign =
    origin === undefined ? request.headers['sec-fetch-site'] === 'cross-site' : !isOwn(origin, request, origins);
  if (isForeign) throw new AppError('FORBIDDEN', 'Log in from a page of this site.');
}

function isOwn(origin: string, request: Request, origins: readonly string[] | undefined): boolean {
  return origins ? origins.includes(origin) : origin === `${request.protocol}://${request.get('host') ?? ''}`;
}
