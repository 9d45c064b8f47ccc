import { createHash, randomBytes } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random letters and digits, with 5.95 bits of cryptographically secure randomness each. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    // Bytes from the last multiple of 62 are rejected, because they would bias the distribution.
    for (const byte of randomBytes(64)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

/** 256 random bits in a text form that is valid in cookies and URLs. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the SHA-256 hash of a random token. The hash is stored and used for look-ups. Random tokens need no salt. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

/** The credential of `Authorization: Bearer`; null if it is malformed, undefined without the header. */
export function readBearer(authorization: string | undefined): string | null | undefined {
  if (authorization === undefined) return undefined;
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null;
}
