import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export function generateSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** The key that a secret (`whsec_…`) encodes. */
export function signingKeyOf(secret: string): KeyObject {
  return createSecretKey(secret.slice(PREFIX.length), 'base64');
}

/**
 * The value of `webhook-signature`: one signature per key, separated by spaces. Source: Standard Webhooks
 * specification, "Signature scheme".
 * @param timestampSeconds Unix seconds, the value of `webhook-timestamp`
 */
export function sign(keys: readonly KeyObject[], eventId: string, timestampSeconds: number, body: string): string {
  return keys
    .map((key) => `v1,${createHmac('sha256', key).update(`${eventId}.${timestampSeconds}.${body}`).digest('base64')}`)
    .join(' ');
}
