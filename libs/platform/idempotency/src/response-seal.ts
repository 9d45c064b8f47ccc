import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/**
 * A response with a secret must be repeatable, but must not be stored in plain text. It is encrypted (AES-256-GCM) with a
 * key derived from the Idempotency-Key, of which only the SHA-256 is stored.
 */
export class ResponseSeal {
  /** The stored form of the Idempotency-Key. */
  readonly storedKey: string;
  private readonly key: Buffer;

  constructor(idempotencyKey: string, callerId: string) {
    this.storedKey = `sha256:${createHash('sha256').update(idempotencyKey).digest('hex')}`;
    this.key = Buffer.from(hkdfSync('sha256', idempotencyKey, callerId, 'heliograph sealed answer', 32));
  }

  close(response: object): object {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.key, iv);
    const text = Buffer.concat([cipher.update(JSON.stringify(response)), cipher.final()]);
    return { sealed: Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64') };
  }

  /** Throws for a response that was stored under another Idempotency-Key. */
  open(stored: object): object {
    const bytes = Buffer.from((stored as { sealed: string }).sealed, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString()) as object;
  }
}
