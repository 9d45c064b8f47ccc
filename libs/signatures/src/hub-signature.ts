import { createHmac, timingSafeEqual } from 'node:crypto';

/** Where the chat-app platform puts its signature. */
export const HUB_SIGNATURE_HEADER = 'X-Hub-Signature-256';

/** `malformed`: missing, or not of the form `sha256=<hex>`. `mismatch`: made with another secret or for other bytes. */
export type HubSignatureVerdict = 'ok' | 'malformed' | 'mismatch';

const SHA256_HEX = /^sha256=([0-9a-f]{64})$/i;

/** Checks `sha256=<hex HMAC-SHA256 of the body>`. Nothing fits an empty secret. */
export function verifyHubSignature(secret: string, rawBody: Buffer, header: string | undefined): HubSignatureVerdict {
  const hex = SHA256_HEX.exec(header ?? '')?.[1];
  if (hex === undefined) return 'malformed';
  return secret !== '' && timingSafeEqual(Buffer.from(hex, 'hex'), digest(secret, rawBody)) ? 'ok' : 'mismatch';
}

/** The header's value for a body, as the platform makes it. */
export function signHub(secret: string, body: Buffer | string): string {
  return `sha256=${digest(secret, body).toString('hex')}`;
}

function digest(secret: string, body: Buffer | string): Buffer {
  return createHmac('sha256', secret).update(body).digest();
}
