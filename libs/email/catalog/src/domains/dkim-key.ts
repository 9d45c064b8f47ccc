import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { serviceUnavailable } from '@heliograph/errors';

const generate = promisify(generateKeyPair);

/** Maximum queue length. A key takes 0.1 to 1 s, so later callers would wait too long. */
const MAX_WAITING = 20;

export interface DkimKey {
  /** SubjectPublicKeyInfo in base64. */
  publicKey: string;
  /** PKCS #8, PEM. */
  privateKey: string;
}

let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

/**
 * Generates an RSA key of 2048 bits: supported by every receiver, and short enough for a DNS record (RFC 8301, 3.2).
 * Generates one key at a time per process, on a thread of libuv's pool. Throws SERVICE_UNAVAILABLE if many wait.
 */
export async function generateDkimKey(): Promise<DkimKey> {
  if (waiting >= MAX_WAITING) throw serviceUnavailable('too many keys are being generated');
  waiting += 1;
  const generated = last.then(generateRsaKey);
  last = generated.catch(() => undefined);
  try {
    return await generated;
  } finally {
    waiting -= 1;
  }
}

async function generateRsaKey(): Promise<DkimKey> {
  const { publicKey, privateKey } = await generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { publicKey: publicKey.toString('base64'), privateKey };
}
