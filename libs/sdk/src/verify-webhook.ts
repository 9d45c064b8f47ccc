import { WebhookVerificationError } from './errors';
import type { WebhookEvent } from './generated/events';

const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';

type HeaderValue = string | string[] | null | undefined;

/** The headers of a request: those of a `Request`, or the object of Node.js and most frameworks. */
export type WebhookHeaders = Headers | Readonly<Record<string, HeaderValue>>;

export interface VerifyOptions {
  /** The largest difference between the time of the delivery and the own clock. Default: 300 seconds. */
  toleranceSeconds?: number;
}

/**
 * Verifies the signature of a webhook delivery, and resolves with its event.
 *
 * @param body the raw body as it was received: a text or bytes that were parsed and serialized again have another signature
 * @param secret the secret of the webhook (`whsec_…`), or several while it is rotated
 * @throws WebhookVerificationError with the likely cause
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS }: VerifyOptions = {},
): Promise<WebhookEvent> {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new WebhookVerificationError(
      'Pass the raw body, a text or bytes. The body was already parsed: configure the framework so that this route gets the raw body.',
    );
  }
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  const seconds = Number(timestamp);
  if (!/^\d+$/.test(timestamp))
    throw new WebhookVerificationError('The header webhook-timestamp is not a number of seconds.');
  const age = Date.now() / 1000 - seconds;
  if (Math.abs(age) > toleranceSeconds) {
    throw new WebhookVerificationError(
      `The delivery is ${Math.abs(Math.round(age))} seconds ${age > 0 ? 'old' : 'in the future'}, more than the tolerance of ` +
        `${toleranceSeconds}. If it was sent now, correct the clock of this machine.`,
    );
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = concatenated(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  for (const one of secrets) {
    if (await hasSignature(signed, signatures, one)) return parsed(bytes);
  }
  throw new WebhookVerificationError(
    'No signature matches. Check that the secret is that of this webhook, and that the body is passed exactly as it was received.',
  );
}

/** Signs a delivery as the platform does, for tests of a receiver. Resolves with the headers. */
export async function signWebhook(
  body: string,
  secret: string,
  { id, timestamp = new Date() }: { id: string; timestamp?: Date },
): Promise<Record<string, string>> {
  const seconds = String(Math.floor(timestamp.getTime() / 1000));
  const key = await crypto.subtle.importKey('raw', keyOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${id}.${seconds}.${body}`));
  const text = `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`;
  return {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': text,
    'X-Service-Signature': text,
  };
}

async function hasSignature(signed: Uint8Array<ArrayBuffer>, signatures: string, secret: string): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', keyOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  for (const one of signatures.split(' ')) {
    const [version, text = ''] = one.split(',');
    const signature = version === 'v1' ? bytesOfBase64(text) : null;
    // Compares in constant time.
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true;
  }
  return false;
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = secret.startsWith(SECRET_PREFIX) ? bytesOfBase64(secret.slice(SECRET_PREFIX.length)) : null;
  if (!key || key.length === 0) {
    throw new WebhookVerificationError(
      'The secret is not the secret of a webhook: it starts with whsec_ and is shown when the webhook is created.',
    );
  }
  return key;
}

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function concatenated(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : valueIn(headers, name);
  const text = Array.isArray(value) ? value[0] : value;
  if (text === undefined || text === null || text === '') {
    throw new WebhookVerificationError(`The header ${name} is missing. Only deliveries of the platform have it.`);
  }
  return text;
}

function valueIn(headers: Readonly<Record<string, HeaderValue>>, name: string): HeaderValue {
  return Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
}

function parsed(bytes: Uint8Array): WebhookEvent {
  // The signature proves that the platform wrote the body.
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
}
