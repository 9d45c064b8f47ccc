import { AppError } from '@heliograph/errors';
import { Not, type EntityManager } from 'typeorm';
import { EmailDomain } from './domain.entity';

// An arbitrary constant, the same in all processes and versions.
const NAME_LOCK = 7_236_100_421;

/**
 * Ensures that only one organization verifies a name through the DNS. Locks the name until the transaction ends. Throws
 * STATE_CONFLICT.
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
    `${name} is verified for another organization. It can be verified here after it is removed there, or after its ` +
      'DNS records are removed.',
  );
}
