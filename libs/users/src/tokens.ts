import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, as text that fits a cookie and a link. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a token, and looked up by. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}
