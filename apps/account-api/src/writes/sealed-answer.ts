import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/**
 * An answer with a secret in it must be there for a repeat, and must not lie in the database. So it is sealed with a
 * key that only the Idempotency-Key gives, and of that only the SHA-256 is stored.
 */
export interface SealedAnswer {
  sealed: string;
}

/** What is stored of an Idempotency-Key whose answer is sealed. */
export function sealedName(idempotencyKey: string): string {
  return `sha256:${createHash('sha256').update(idempotencyKey).digest('hex')}`;
}

export function seal(answer: object, idempotencyKey: string, callerId: string): SealedAnswer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(idempotencyKey, callerId), iv);
  const text = Buffer.concat([cipher.update(JSON.stringify(answer)), cipher.final()]);
  return { sealed: Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64') };
}

export function unseal({ sealed }: SealedAnswer, idempotencyKey: string, callerId: string): object {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(idempotencyKey, callerId), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString()) as object;
}

function keyOf(idempotencyKey: string, callerId: string): Buffer {
  return Buffer.from(hkdfSync('sha256', idempotencyKey, callerId, 'heliograph sealed answer', 32));
}
