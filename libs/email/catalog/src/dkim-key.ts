import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';

const generate = promisify(generateKeyPair);

export interface DkimKey {
  /** SubjectPublicKeyInfo in base64. */
  publicKey: string;
  /** PKCS #8, PEM. */
  privateKey: string;
}

/** RSA 2048: what every receiver verifies, and what still fits into a DNS record (RFC 8301, 3.2). */
export async function generateDkimKey(): Promise<DkimKey> {
  const { publicKey, privateKey } = await generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { publicKey: publicKey.toString('base64'), privateKey };
}
