import { MacSigner } from './mac-signer';

/** The expiry in Unix seconds, and the signature. */
export interface LinkProof {
  expires: string;
  signature: string;
}

/** Signs links that download a file without an API key. The first secret signs, links of all secrets are valid. */
export class SignedLinks {
  private readonly signer: MacSigner;

  /** `purpose`: a link of one purpose is not valid for another. */
  constructor(
    secrets: readonly (string | Buffer)[],
    purpose: string,
    private readonly lifeSeconds: number,
  ) {
    this.signer = new MacSigner(secrets, `heliograph ${purpose} link`);
  }

  sign(fileId: string, organizationId: string, nowMs: number): LinkProof {
    const expires = String(Math.floor(nowMs / 1_000) + this.lifeSeconds);
    return { expires, signature: this.signer.sign(signedText(fileId, organizationId, expires)).toString('hex') };
  }

  /** Whether the link was signed for one of these organizations and has not expired. */
  holds(fileId: string, organizationIds: readonly string[], { expires, signature }: LinkProof, nowMs: number): boolean {
    if (!/^\d{1,12}$/.test(expires) || !/^[0-9a-f]{64}$/.test(signature)) return false;
    const given = Buffer.from(signature, 'hex');
    const isGenuine = organizationIds.some((id) => this.signer.verify(given, signedText(fileId, id, expires)));
    return isGenuine && nowMs < Number(expires) * 1_000;
  }
}

function signedText(fileId: string, organizationId: string, expires: string): string {
  return `${fileId}\n${organizationId}\n${expires}`;
}
