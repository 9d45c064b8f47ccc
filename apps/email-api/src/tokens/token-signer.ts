import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** 96 bits of HMAC-SHA256: beyond guessing, and short enough for a local part. */
export const MAC_BYTES = 12;

const KEY_BYTES = 32;

/** Signs tokens of one purpose. Its keys are derived, so that a token of one purpose is none of another. */
export class TokenSigner {
  private readonly keys: Buffer[];

  /** The first secret signs; tokens of all of them hold, so that secrets can be rotated. */
  constructor(secrets: readonly string[], purpose: string) {
    this.keys = secrets.map((secret) =>
      Buffer.from(hkdfSync('sha256', secret, '', `heliograph email token: ${purpose}`, KEY_BYTES)),
    );
  }

  /** The signature, then what it signs. */
  seal(content: Buffer): Buffer {
    const [key] = this.keys;
    if (!key) throw new Error('tokens need a secret to be signed with');
    return Buffer.concat([macOf(content, key), content]);
  }

  /** What was sealed; null when none of the secrets signed it. */
  open(sealed: Buffer): Buffer | null {
    if (sealed.length < MAC_BYTES) return null;
    const mac = sealed.subarray(0, MAC_BYTES);
    const content = sealed.subarray(MAC_BYTES);
    let isGenuine = false;
    // All are compared, so that the time tells nothing.
    for (const key of this.keys) isGenuine = timingSafeEqual(mac, macOf(content, key)) || isGenuine;
    return isGenuine ? content : null;
  }
}

function macOf(content: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(content).digest().subarray(0, MAC_BYTES);
}
