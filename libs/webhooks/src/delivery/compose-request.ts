import type { KeyRing } from '@heliograph/secrets';
import { publicEventId } from '../log/event-body';
import { PREVIOUS_WEBHOOK_SECRET, WEBHOOK_SECRET } from '../secrets';
import { sign, signingKeyOf } from './signature';

const USER_AGENT = 'Heliograph-Webhooks/1.0';

/** Headers that a delivery sets itself, or that the connection needs. */
export const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'x-service-signature',
  'content-type',
  'user-agent',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'host',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'proxy-connection',
  'proxy-authorization',
  'date',
]);

export interface SignedSubscription {
  id: string;
  headers: Record<string, string>;
  /** Encrypted. */
  secret: string;
  /** Encrypted; null outside a rotation. */
  previousSecret: string | null;
}

/** Composes the headers of a delivery. `eventId`: a UUID. */
export type SignRequest = (eventId: string, body: string, at: Date) => Record<string, string>;

/** Decrypts the secrets of a subscription once for many deliveries. The `standardwebhooks` package verifies the headers. */
export function requestSigner(keys: KeyRing, subscription: SignedSubscription): SignRequest {
  const { id, headers, secret, previousSecret } = subscription;
  const secrets = [
    WEBHOOK_SECRET.open(keys, id, secret),
    ...(previousSecret === null ? [] : [PREVIOUS_WEBHOOK_SECRET.open(keys, id, previousSecret)]),
  ].map(signingKeyOf);
  return (eventId, body, at) => {
    const publicId = publicEventId(eventId);
    const timestamp = Math.floor(at.getTime() / 1_000);
    const signature = sign(secrets, publicId, timestamp, body);
    return {
      ...headers,
      'webhook-id': publicId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
      'X-Service-Signature': signature,
      'Content-Type': 'application/json',
      'User-Agent': USER_AGENT,
    };
  };
}
