import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const KEY_BYTES = 32;

/** Signs with HMAC-SHA256. Each purpose has its own derived key, so a signature for one purpose is not valid for another. */
export class MacSigner {
  private readonly keys: Buffer[];

  /**
   * The first secret signs; signatures of all secrets are valid, so that secrets can be rotated.
   * @param bytes length of the signature, at most 32
   */
  constructor(
    secrets: readonly (string | Buffer)[],
    purpose: string,
    private readonly bytes = 32,
  ) {
    this.keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES)));
  }

  /** Returns the signature of the concatenated parts. */
  sign(...parts: (string | Buffer)[]): Buffer {
    const [key] = this.keys;
    if (!key) throw new Error('no secret for signatures is configured');
    return this.macOf(key, parts);
  }

  /** Whether the signature was created with one of the secrets. */
  verify(signature: Buffer, ...parts: (string | Buffer)[]): boolean {
    if (signature.length !== this.bytes) return false;
    let isGenuine = false;
    // All keys are compared, so that the response time does not reveal which key matches.
    for (const key of this.keys) isGenuine = timingSafeEqual(signature, this.macOf(key, parts)) || isGenuine;
    return isGenuine;
  }

  /** Returns the signature followed by the content. */
  seal(content: Buffer): Buffer {
    return Buffer.concat([this.sign(content), content]);
  }

  /** Verifies the result of `seal` and returns its content; null if the signature is not valid. */
  open(sealed: Buffer): Buffer | null {
    const content = sealed.subarray(this.bytes);
    return this.verify(sealed.subarray(0, this.bytes), content) ? content : null;
  }

  private macOf(key: Buffer, parts: readonly (string | Buffer)[]): Buffer {
    const hmac = createHmac('sha256', key);
    for (const part of parts) hmac.update(part);
    return hmac.digest().subarray(0, this.bytes);
  }
}
