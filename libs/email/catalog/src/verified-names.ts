import { AppError } from '@heliograph/errors';
import { Not, type EntityManager } from 'typeorm';
import { EmailDomain } from './domain.entity';

// Any constant does; all processes of all versions must use the same.
const NAME_LOCK = 7_236_100_421;

/**
 * Before the DNS verifies a domain: one name belongs to one organization, the first that has proved it. Holds the name
 * until the transaction ends. Throws STATE_CONFLICT.
 */
export async function refuseNameHeldElsewhere(
  transaction: EntityManager,
  organizationId: string,
  name: string,
): Promise<void> {
  await transaction.query('SELECT pg_advisory_xact_lock(hashtextextended($1, $2))', [name, NAME_LOCK]);
  const isHeld = await transaction
    .getRepository(EmailDomain)
    .existsBy({ name, status: 'verified', verifiedBy: 'dns', organizationId: Not(organizationId) });
  if (!isHeld) return;
  throw new AppError(
    'STATE_CONFLICT',
    `${name} is verified for another organization. It can be verified here when it is removed there, or when the ` +
      'records that it was verified by are gone.',
  );
}
