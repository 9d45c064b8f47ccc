import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits in a text form that is valid in cookies and URLs. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored hash of a token, used for lookups. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}
