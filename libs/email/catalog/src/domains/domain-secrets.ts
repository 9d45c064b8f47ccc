import { SealedColumn } from '@heliograph/secrets';

/** Token of the KeyRing that seals DKIM keys. */
export const EMAIL_KEY_RING = Symbol('key ring of DKIM keys');

export const DKIM_PRIVATE_KEY = new SealedColumn('email.domains', 'dkim_private_key');
