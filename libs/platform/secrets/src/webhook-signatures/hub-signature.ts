import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signature header of the chat-app provider. */
export const HUB_SIGNATURE_HEADER = 'X-Hub-Signature-256';

/**
 * `malformed`: missing, or not of the form `sha256=<hex>`. `mismatch`: created with another secret or for another
 * body.
 */
export type HubSignatureVerdict = 'ok' | 'malformed' | 'mismatch';

const SHA256_HEX = /^sha256=([0-9a-f]{64})$/i;

/** Verifies `sha256=<hex HMAC-SHA256 of the body>`. An empty secret never matches. */
export function verifyHubSignature(secret: string, rawBody: Buffer, header: string | undefined): HubSignatureVerdict {
  const hex = SHA256_HEX.exec(header ?? '')?.[1];
  if (hex === undefined) return 'malformed';
  return secret !== '' && timingSafeEqual(Buffer.from(hex, 'hex'), digest(secret, rawBody)) ? 'ok' : 'mismatch';
}

/** Creates the header value for a body, as the provider does. */
export function signHub(secret: string, body: Buffer | string): string {
  return `sha256=${digest(secret, body).toString('hex')}`;
}

function digest(secret: string, body: Buffer | string): Buffer {
  return createHmac('sha256', secret).update(body).digest();
}
