import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** 96 bits of HMAC-SHA256: infeasible to guess, and short enough for a local part. */
export const MAC_BYTES = 12;

const KEY_BYTES = 32;

/** Signs tokens for one purpose. Keys are derived per purpose, so that a token is not valid for another purpose. */
export class TokenSigner {
  private readonly keys: Buffer[];

  /** The first secret signs; tokens of all secrets are valid, so that secrets can be rotated. */
  constructor(secrets: readonly string[], purpose: string) {
    this.keys = secrets.map((secret) =>
      Buffer.from(hkdfSync('sha256', secret, '', `heliograph email token: ${purpose}`, KEY_BYTES)),
    );
  }

  /** Returns the signature followed by the content. */
  seal(content: Buffer): Buffer {
    return Buffer.concat([this.sign(content), content]);
  }

  /** Returns the signature of the concatenated parts. */
  sign(...parts: Buffer[]): Buffer {
    const [key] = this.keys;
    if (!key) throw new Error('no token secret is configured');
    return macOf(parts, key);
  }

  /** Returns the content; null if no secret matches the signature. */
  open(sealed: Buffer): Buffer | null {
    if (sealed.length < MAC_BYTES) return null;
    const mac = sealed.subarray(0, MAC_BYTES);
    const content = sealed.subarray(MAC_BYTES);
    let isGenuine = false;
    // All keys are compared, so that the duration reveals nothing.
    for (const key of this.keys) isGenuine = timingSafeEqual(mac, macOf([content], key)) || isGenuine;
    return isGenuine ? content : null;
  }
}

function macOf(parts: readonly Buffer[], key: Buffer): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest().subarray(0, MAC_BYTES);
}
