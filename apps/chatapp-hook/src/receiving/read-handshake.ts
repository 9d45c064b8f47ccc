import { createHash, timingSafeEqual } from 'node:crypto';

/** Returns the challenge of the handshake; null for an invalid handshake or a wrong token. */
export function readHandshake(query: string, verifyToken: string | undefined): string | null {
  const parameters = new URLSearchParams(query);
  const mode = single(parameters, 'hub.mode');
  const token = single(parameters, 'hub.verify_token');
  const challenges = parameters.getAll('hub.challenge');
  if (mode !== 'subscribe' || token === null || challenges.length > 1 || verifyToken === undefined) return null;
  return isSame(token, verifyToken) ? (challenges[0] ?? '') : null;
}

function single(parameters: URLSearchParams, name: string): string | null {
  const values = parameters.getAll(name);
  return values.length === 1 ? (values[0] ?? null) : null;
}

/** Compares hashes of equal length, so that the duration reveals neither the token nor its length. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}
