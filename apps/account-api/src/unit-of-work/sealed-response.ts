import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/**
 * A response with a secret must be repeatable, but must not be stored in plain text. It is encrypted with a key
 * derived from the Idempotency-Key, of which only the SHA-256 is stored.
 */
export interface SealedResponse {
  sealed: string;
}

/** Stored form of an Idempotency-Key whose response is encrypted. */
export function sealedName(idempotencyKey: string): string {
  return `sha256:${createHash('sha256').update(idempotencyKey).digest('hex')}`;
}

export function seal(response: object, idempotencyKey: string, callerId: string): SealedResponse {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(idempotencyKey, callerId), iv);
  const text = Buffer.concat([cipher.update(JSON.stringify(response)), cipher.final()]);
  return { sealed: Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64') };
}

export function unseal({ sealed }: SealedResponse, idempotencyKey: string, callerId: string): object {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(idempotencyKey, callerId), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString()) as object;
}

function keyOf(idempotencyKey: string, callerId: string): Buffer {
  return Buffer.from(hkdfSync('sha256', idempotencyKey, callerId, 'heliograph sealed answer', 32));
}
