import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'bcs_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 43;
const TOKEN = /^bcs_[0-9A-Za-z]{43}$/;

/** A new token: `bcs_` and 43 characters of base62, 256 bits from the system's generator. */
export function newToken(): string {
  let secret = '';
  while (secret.length < SECRET_LENGTH) {
    // Bytes past the last multiple of 62 would make some characters likelier than others.
    for (const byte of randomBytes(64)) {
      if (byte < 248 && secret.length < SECRET_LENGTH) secret += BASE62[byte % 62];
    }
  }
  return `${PREFIX}${secret}`;
}

/** What is stored of a token, and looked up by: SHA-256. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

/** The token of `Authorization: Bearer`; null when there is none that has the form of one. */
export function readToken(authorization: string | undefined): string | null {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  return token !== undefined && TOKEN.test(token) ? token : null;
}
