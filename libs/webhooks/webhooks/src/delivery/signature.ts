import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export function generateSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * The value of `webhook-signature`: one signature per secret, separated by spaces. Source: Standard Webhooks
 * specification, "Signature scheme".
 * @param timestampSeconds Unix seconds, the value of `webhook-timestamp`
 */
export function sign(secrets: readonly string[], eventId: string, timestampSeconds: number, body: string): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${eventId}.${timestampSeconds}.${body}`).digest('base64')}`;
    })
    .join(' ');
}
