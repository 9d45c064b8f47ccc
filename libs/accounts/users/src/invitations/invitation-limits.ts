import { newId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { EntityManager } from 'typeorm';

const APART_SECONDS = 10 * 60;
const DAY_SECONDS = 24 * 3_600;
const MAX_PER_ORGANIZATION_AND_DAY = 200;
/** Across all organizations, because one attacker can own many. */
const MAX_PER_ADDRESS_AND_DAY = 10;

/**
 * Counts an invitation email. Throws RATE_LIMITED if a daily limit is reached or, for a resend, if the organization has
 * resent an invitation to this address within ten minutes.
 */
export async function countInvitationMail(
  transaction: EntityManager,
  organizationId: string,
  email: string,
  isResend: boolean,
): Promise<void> {
  // Concurrent requests are counted one after the other. This order prevents deadlocks;
  // for the same reason callers lock the invitation first.
  for (const key of [`address ${email}`, `organization ${organizationId}`]) {
    await transaction.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`invitation-mails ${key}`]);
  }
  // Seconds until the nth newest email is old enough; null if there are fewer.
  const [wait] = await transaction.query<
    { pair: number | null; organization: number | null; address: number | null }[]
  >(
    `SELECT
       (SELECT ceil(extract(epoch FROM max(sent_at) - now()))::int + ${APART_SECONDS} FROM users.invitation_mails
        WHERE organization_id = $1 AND email = $2 AND is_resend) AS pair,
       (SELECT ceil(extract(epoch FROM sent_at - now()))::int + ${DAY_SECONDS} FROM users.invitation_mails
        WHERE organization_id = $1 ORDER BY sent_at DESC OFFSET ${MAX_PER_ORGANIZATION_AND_DAY - 1} LIMIT 1) AS organization,
       (SELECT ceil(extract(epoch FROM sent_at - now()))::int + ${DAY_SECONDS} FROM users.invitation_mails
        WHERE email = $2 ORDER BY sent_at DESC OFFSET ${MAX_PER_ADDRESS_AND_DAY - 1} LIMIT 1) AS address`,
    [organizationId, email],
  );
  if (isResend) refuseWithin(wait?.pair, 'The invitation was resent to this address less than 10 minutes ago.');
  refuseWithin(
    wait?.organization,
    `The organization has sent ${MAX_PER_ORGANIZATION_AND_DAY} invitations within a day.`,
  );
  refuseWithin(wait?.address, `This address has received ${MAX_PER_ADDRESS_AND_DAY} invitations within a day.`);
  await transaction.query(
    'INSERT INTO users.invitation_mails (id, organization_id, email, is_resend) VALUES ($1, $2, $3, $4)',
    [newId(), organizationId, email, isResend],
  );
}

function refuseWithin(seconds: number | null | undefined, reason: string): void {
  if (seconds === null || seconds === undefined || seconds <= 0) return;
  throw new AppError('RATE_LIMITED', `${reason} Try again after the seconds in the Retry-After header.`, {
    retryAfterSeconds: seconds,
  });
}
