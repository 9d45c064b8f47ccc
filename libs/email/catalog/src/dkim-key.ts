import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';

const generate = promisify(generateKeyPair);

export interface DkimKey {
  /** SubjectPublicKeyInfo in base64. */
  publicKey: string;
  /** PKCS #8, PEM. */
  privateKey: string;
}

/** Generates an RSA key of 2048 bits: supported by every receiver, and short enough for a DNS record (RFC 8301, 3.2). */
export async function generateDkimKey(): Promise<DkimKey> {
  const { publicKey, privateKey } = await generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { publicKey: publicKey.toString('base64'), privateKey };
}
