import { randomBase62, readBearer } from '@heliograph/secrets';
import { isAccessToken } from '@heliograph/users';
import type { Mode } from './mode';

const SECRET_LENGTH = 40;
const MAX_KEY_LENGTH = 256;

/** Generates a key `<prefix>_<mode>_<40 base62 characters>` with 238 random bits. */
export function generateKey(prefix: string, mode: Mode = 'live'): string {
  return `${prefix}_${mode}_${randomBase62(SECRET_LENGTH)}`;
}

/**
 * Reads the credential of a request: a key from `Authorization: Bearer` or `X-API-Key`, or an access token from
 * `Authorization: Bearer`. Null if both are absent, if they differ, if the key is too long, and for an access token in
 * `X-API-Key`. Keys in the query string are never accepted.
 */
export function readKey(headers: {
  authorization?: string | undefined;
  'x-api-key'?: string | string[] | undefined;
}): string | null {
  const bearer = readBearer(headers.authorization);
  const plain = headers['x-api-key'];
  if (bearer === null || Array.isArray(plain)) return null;
  if (bearer !== undefined && plain !== undefined && bearer !== plain.trim()) return null;
  if (plain !== undefined && isAccessToken(plain.trim())) return null;
  const key = bearer ?? plain?.trim();
  return key && key.length <= MAX_KEY_LENGTH ? key : null;
}
