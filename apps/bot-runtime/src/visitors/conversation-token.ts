import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'bcs_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 43;
const TOKEN = /^bcs_[0-9A-Za-z]{43}$/;

/** Generates a token: `bcs_` and 43 base62 characters, with 256 bits of cryptographically secure randomness. */
export function newToken(): string {
  let secret = '';
  while (secret.length < SECRET_LENGTH) {
    // Bytes beyond the last multiple of 62 are discarded, because they would bias the distribution.
    for (const byte of randomBytes(64)) {
      if (byte < 248 && secret.length < SECRET_LENGTH) secret += BASE62[byte % 62];
    }
  }
  return `${PREFIX}${secret}`;
}

/** Returns the SHA-256 hash that is stored and used for look-ups. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

/** Returns the token of `Authorization: Bearer`; null if it is missing or malformed. */
export function readToken(authorization: string | undefined): string | null {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  return token !== undefined && TOKEN.test(token) ? token : null;
}
