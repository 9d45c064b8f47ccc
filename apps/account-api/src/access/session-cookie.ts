import { DEVICE_DAYS, SESSION_DAYS, type OpenedSession } from '@heliograph/users';
import type { Request, Response } from 'express';

const DAY_MS = 24 * 3_600_000;
const MAX_TOKEN_LENGTH = 128;

/** Over TLS the name forbids any other host or path to set it; without TLS browsers would refuse that name. */
function nameOf(cookie: 'session' | 'device', { secure }: Request): string {
  return secure ? `__Host-${cookie}` : cookie;
}

/** Undefined when there is none. A cookie that was planted beside ours, with the same name, makes both void. */
export function readCookie(request: Request, cookie: 'session' | 'device'): string | undefined {
  const name = nameOf(cookie, request);
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [first] = values;
  if (first === undefined) return undefined;
  const isPlain = values.every((value) => value === first) && /^[\w-]+$/.test(first);
  // What cannot be a token is a token that nobody has.
  return isPlain && first.length <= MAX_TOKEN_LENGTH ? first : '-';
}

export function setSessionCookies(request: Request, response: Response, { token, deviceToken }: OpenedSession): void {
  setCookie(request, response, 'session', token, SESSION_DAYS * DAY_MS);
  if (deviceToken !== null) setCookie(request, response, 'device', deviceToken, DEVICE_DAYS * DAY_MS);
}

export function clearSessionCookie(request: Request, response: Response): void {
  setCookie(request, response, 'session', '', 0);
}

function setCookie(
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
