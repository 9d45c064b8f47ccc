import { SealedColumn, type KeyRing } from '@heliograph/secrets';

/** Token of the KeyRing that seals DKIM keys. */
export const EMAIL_KEY_RING = Symbol('key ring of DKIM keys');

export const DKIM_PRIVATE_KEY = new SealedColumn('email.domains', 'dkim_private_key');

/** Returns the DKIM key of a domain; null if it was sealed with a key that the ring lacks, or was changed. */
export function readPrivateKey(keys: KeyRing, domainId: string, sealed: string): string | null {
  try {
    return DKIM_PRIVATE_KEY.open(keys, domainId, sealed);
  } catch {
    return null;
  }
}
