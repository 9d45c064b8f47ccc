import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { AppError } from '@heliograph/errors';
import type { Pool } from 'pg';

const MAX_FAILURES = 20;
const WINDOW_MINUTES = 15;
/** How a listener for both families tells of a caller with an IPv4 address. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Whose failures are counted together: those of a browser that has logged in with this address before, or those of
 * one network with this address. A stranger who guesses locks out neither the user's own browser nor other networks.
 * The address may be one that nobody has: both are answered alike.
 */
export function attemptKey(email: string, ipAddress: string | null, deviceHash: Buffer | null): string {
  const address = createHash('sha256').update(email.trim().toLowerCase()).digest('base64url');
  return deviceHash ? `device ${deviceHash.toString('base64url')} ${address}` : `${networkOf(ipAddress)} ${address}`;
}

/** One IPv4 address (mapped into IPv6 or not), or the /64 that an IPv6 subscriber has. */
export function networkOf(ipAddress: string | null): string {
  const mapped = MAPPED.exec(ipAddress ?? '')?.[1];
  if (mapped !== undefined) return mapped;
  if (ipAddress === null || isIP(ipAddress) !== 6) return ipAddress ?? 'unknown';
  const [head = '', tail] = ipAddress.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  if (tail !== undefined)
    groups.push(...Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0'), ...after);
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

/** Throws RATE_LIMITED while there were too many failures. */
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
    'Too many failed logins for this address from here. Wait as long as Retry-After says, or reset the password.',
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
