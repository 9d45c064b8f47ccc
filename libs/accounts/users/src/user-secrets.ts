import { SealedColumn } from '@heliograph/secrets';

/** Token of the KeyRing that seals the secrets of users. */
export const USER_KEY_RING = Symbol('key ring of user secrets');

export const TOTP_SECRET = new SealedColumn('users.users', 'totp_secret');
export const PENDING_TOTP_SECRET = new SealedColumn('users.users', 'pending_totp_secret');
