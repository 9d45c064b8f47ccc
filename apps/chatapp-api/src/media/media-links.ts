import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

export const LINK_LIFE_SECONDS = 300;

/** The expiry in Unix seconds, and the signature. */
export interface LinkProof {
  expires: string;
  signature: string;
}

/** Signs links that download a file without an API key. */
export class MediaLinks {
  private readonly key: Buffer;

  constructor(accessToken: string) {
    this.key = Buffer.from(hkdfSync('sha256', accessToken, '', 'heliograph chat-app media link', 32));
  }

  sign(mediaId: string, organizationId: string, nowMs: number): LinkProof {
    const expires = String(Math.floor(nowMs / 1_000) + LINK_LIFE_SECONDS);
    return { expires, signature: this.macOf(mediaId, organizationId, expires).toString('hex') };
  }

  /** Whether the link was signed for one of these organizations and has not expired. */
  holds(
    mediaId: string,
    organizationIds: readonly string[],
    { expires, signature }: LinkProof,
    nowMs: number,
  ): boolean {
    if (!/^\d{1,12}$/.test(expires) || !/^[0-9a-f]{64}$/.test(signature)) return false;
    const given = Buffer.from(signature, 'hex');
    let isGenuine = false;
    for (const id of organizationIds) isGenuine = timingSafeEqual(given, this.macOf(mediaId, id, expires)) || isGenuine;
    return isGenuine && nowMs < Number(expires) * 1_000;
  }

  private macOf(mediaId: string, organizationId: string, expires: string): Buffer {
    return createHmac('sha256', this.key).update(`${mediaId}\n${organizationId}\n${expires}`).digest();
  }
}
