import type { Request, Response } from 'express';

const MAX_TOKEN_LENGTH = 128;

/** The part of a request that holds its credentials. */
export type CredentialSource = Pick<Request, 'headers' | 'secure'>;

/**
 * Over TLS the `__Host-` prefix prevents other hosts and paths from setting the cookie. Without TLS, browsers reject
 * the prefix.
 */
function nameOf(cookie: 'session' | 'device', { secure }: CredentialSource): string {
  return secure ? `__Host-${cookie}` : cookie;
}

/**
 * Returns undefined if the cookie is absent. If two cookies have the same name, both are ignored, because an attacker
 * may have set one of them.
 */
export function readCookie(request: CredentialSource, cookie: 'session' | 'device'): string | undefined {
  const name = nameOf(cookie, request);
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [first] = values;
  if (first === undefined) return undefined;
  const isPlain = values.every((value) => value === first) && /^[\w-]+$/.test(first);
  // A malformed token cannot exist, so it is treated like an unknown token.
  return isPlain && first.length <= MAX_TOKEN_LENGTH ? first : '-';
}

export function setCookie(
  request: Request,
  response: Response,
  cookie: 'session' | 'device',
  value: string,
  maxAgeMs: number,
): void {
  response.cookie(nameOf(cookie, request), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: request.secure,
    maxAge: maxAgeMs,
  });
}
