import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The expiry in Unix seconds, and the signature. */
export interface LinkProof {
  expires: string;
  signature: string;
}

/** Signs links that download a file without an API key. The first secret signs, links of all secrets are valid. */
export class SignedLinks {
  private readonly keys: Buffer[];

  /** `purpose`: a link of one purpose is not valid for another. */
  constructor(
    secrets: readonly (string | Buffer)[],
    purpose: string,
    private readonly lifeSeconds: number,
  ) {
    this.keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', `heliograph ${purpose} link`, 32)));
  }

  sign(fileId: string, organizationId: string, nowMs: number): LinkProof {
    const [key] = this.keys;
    if (!key) throw new Error('no secret for links is configured');
    const expires = String(Math.floor(nowMs / 1_000) + this.lifeSeconds);
    return { expires, signature: macOf(key, fileId, organizationId, expires).toString('hex') };
  }

  /** Whether the link was signed for one of these organizations and has not expired. */
  holds(fileId: string, organizationIds: readonly string[], { expires, signature }: LinkProof, nowMs: number): boolean {
    if (!/^\d{1,12}$/.test(expires) || !/^[0-9a-f]{64}$/.test(signature)) return false;
    const given = Buffer.from(signature, 'hex');
    let isGenuine = false;
    for (const id of organizationIds) {
      for (const key of this.keys) isGenuine = timingSafeEqual(given, macOf(key, fileId, id, expires)) || isGenuine;
    }
    return isGenuine && nowMs < Number(expires) * 1_000;
  }
}

function macOf(key: Buffer, fileId: string, organizationId: string, expires: string): Buffer {
  return createHmac('sha256', key).update(`${fileId}\n${organizationId}\n${expires}`).digest();
}
