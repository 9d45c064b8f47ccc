import { createHash, randomBytes } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 40;
const MAX_KEY_LENGTH = 256;

/** A new key: `<prefix>_live_<40 characters of base62>`, 238 bits from the system's generator. */
export function generateKey(prefix: string): string {
  let secret = '';
  while (secret.length < SECRET_LENGTH) {
    // Bytes past the last multiple of 62 would make some characters likelier than others.
    for (const byte of randomBytes(64)) {
      if (byte < 248 && secret.length < SECRET_LENGTH) secret += BASE62[byte % 62];
    }
  }
  return `${prefix}_live_${secret}`;
}

/** What is stored of a key, and looked up by. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key, 'utf8').digest();
}

/**
 * Reads the key of a request from `Authorization: Bearer` and `X-API-Key`. Null when there is none, when the two
 * disagree, or when it is absurdly long. Keys in the query string are never read.
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
