import { AppError } from '@heliograph/errors';
import type { Request } from 'express';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

export function isWrite({ method }: Request): boolean {
  return !READING.has(method);
}

/**
 * CSRF protection: browsers attach the cookie to requests from any page, so writes must come from an allowed origin.
 * If `origins` is undefined, the origin of the request's own host is allowed. Throws FORBIDDEN.
 */
export function refuseForeignOrigin(request: Request, origins: readonly string[] | undefined): void {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (origin !== undefined ? isOwn(origin, request, origins) : site === 'same-origin') return;
  throw new AppError(
    'FORBIDDEN',
    'Writes with a session cookie require an Origin or Sec-Fetch-Site header of this site. Outside a browser, use an API key.',
  );
}

/**
 * CSRF protection of the login, where no cookie exists yet: a foreign page must not log its visitor in as another
 * user. Throws FORBIDDEN.
 */
export function refuseForeignLogin(request: Request, origins: readonly string[] | undefined): void {
  const { origin } = request.headers;
  const isForeign =
    origin === undefined ? request.headers['sec-fetch-site'] === 'cross-site' : !isOwn(origin, request, origins);
  if (!isForeign) return;
  throw new AppError(
    'FORBIDDEN',
    'Login requests from other sites are not allowed. Log in from a page of this site, or ask the operator to add the ' +
      'origin to PUBLIC_ORIGINS.',
  );
}

function isOwn(origin: string, request: Request, origins: readonly string[] | undefined): boolean {
  return origins ? origins.includes(origin) : origin === `${request.protocol}://${request.get('host') ?? ''}`;
}
