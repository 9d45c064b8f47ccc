import { randomBase62, readBearer } from '@heliograph/secrets';

const TOKEN = /^bcs_[0-9A-Za-z]{43}$/;

/** Generates a token: `bcs_` and 43 base62 characters, with 256 bits of cryptographically secure randomness. */
export function newConversationToken(): string {
  return `bcs_${randomBase62(43)}`;
}

/** Returns the token of `Authorization: Bearer`; null if it is missing or malformed. */
export function readConversationToken(authorization: string | undefined): string | null {
  const token = readBearer(authorization);
  return token && TOKEN.test(token) ? token : null;
}
