import { createHash } from 'node:crypto';
import { AppError } from '@heliograph/errors';
import { networkOf } from '@heliograph/service-kit';
import type { Pool } from 'pg';
import { readUserAddress } from '../email-address';

const MAX_FAILURES = 20;
const WINDOW_MINUTES = 15;

/**
 * Counter key of failures: per known device and address, or per network and address. Failed attempts of one network
 * lock out neither known devices nor other networks. Unknown addresses are counted in the same way, so that responses
 * do not reveal whether a user exists. All spellings of one address have the same key.
 */
export function attemptKey(email: string, ipAddress: string | null, deviceHash: Buffer | null): string {
  const address = accountKey(email);
  return deviceHash ? `device ${deviceHash.toString('base64url')} ${address}` : `${networkOf(ipAddress)} ${address}`;
}

/** Hash of an email address in any spelling. */
export function accountKey(email: string): string {
  const written = readUserAddress(email) ?? email.trim().toLowerCase();
  return createHash('sha256').update(written).digest('base64url');
}

/** Throws RATE_LIMITED after too many failures. */
export async function refuseTooManyFailures(pool: Pool, key: string): Promise<void> {
  const { rows } = await pool.query<{ seconds: number }>(
    `SELECT ceil(extract(epoch FROM ends_at - now()))::int AS seconds FROM users.login_failures
     WHERE key = $1 AND failures >= ${MAX_FAILURES} AND ends_at > now()`,
    [key],
  );
  const [locked] = rows;
  if (!locked) return;
  throw new AppError(
    'RATE_LIMITED',
    'Too many failed logins for this address from this network. Try again after the seconds in the Retry-After header, or reset the password.',
    { retryAfterSeconds: Math.max(1, locked.seconds) },
  );
}

export async function noteFailure(pool: Pool, key: string): Promise<void> {
  await pool.query(
    `INSERT INTO users.login_failures AS f (key, failures, ends_at)
     VALUES ($1, 1, now() + interval '${WINDOW_MINUTES} minutes')
     ON CONFLICT (key) DO UPDATE SET
       failures = CASE WHEN f.ends_at <= now() THEN 1 ELSE f.failures + 1 END,
       ends_at = CASE WHEN f.ends_at <= now() THEN excluded.ends_at ELSE f.ends_at END`,
    [key],
  );
}

export async function forgetFailures(pool: Pool, key: string): Promise<void> {
  await pool.query('DELETE FROM users.login_failures WHERE key = $1', [key]);
}
