import { createHash, randomBytes } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 40;
const MAX_KEY_LENGTH = 256;

/** Generates a key `<prefix>_live_<40 base62 characters>` with 238 random bits. */
export function generateKey(prefix: string): string {
  let secret = '';
  while (secret.length < SECRET_LENGTH) {
    // Bytes above the last multiple of 62 are rejected to avoid modulo bias.
    for (const byte of randomBytes(64)) {
      if (byte < 248 && secret.length < SECRET_LENGTH) secret += BASE62[byte % 62];
    }
  }
  return `${prefix}_live_${secret}`;
}

/** The stored hash of a key, used for lookups. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key, 'utf8').digest();
}

/**
 * Reads the key of a request from `Authorization: Bearer` and `X-API-Key`. Null if both are absent, if they differ,
 * or if the key is too long. Keys in the query string are never accepted.
 */
export function readKey(headers: {
  authorization?: string | undefined;
  'x-api-key'?: string | string[] | undefined;
}): string | null {
  const bearer =
    headers.authorization === undefined ? undefined : (/^Bearer +(\S+) *$/i.exec(headers.authorization)?.[1] ?? null);
  const plain = headers['x-api-key'];
  if (bearer === null || Array.isArray(plain)) return null;
  if (bearer !== undefined && plain !== undefined && bearer !== plain.trim()) return null;
  const key = bearer ?? plain?.trim();
  return key && key.length <= MAX_KEY_LENGTH ? key : null;
}
