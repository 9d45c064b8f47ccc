import { AppError } from '@heliograph/errors';
import { Not, type EntityManager } from 'typeorm';
import { EmailSender } from './sender.entity';

// An arbitrary constant, the same in all processes and versions.
const SENDERS_LOCK = 7_236_100_422;

/** Locks the senders until the transaction ends: an organization with senders has exactly one main sender. */
export async function lockSenders(transaction: EntityManager, organizationId: string): Promise<void> {
  await transaction.query('SELECT pg_advisory_xact_lock(hashtextextended($1, $2))', [organizationId, SENDERS_LOCK]);
}

/** Whether the sender becomes the main one: on request, or as the first sender. The previous main sender loses the role. */
export async function becomesMain(
  transaction: EntityManager,
  organizationId: string,
  sender: { id: string | null; isMain: boolean },
): Promise<boolean> {
  const senders = transaction.getRepository(EmailSender);
  const otherMain = { organizationId, isMain: true, ...(sender.id === null ? {} : { id: Not(sender.id) }) };
  if (!sender.isMain) return !(await senders.existsBy(otherMain));
  await senders.update(otherMain, { isMain: false });
  return true;
}

/** Throws STATE_CONFLICT if other senders exist. */
export async function refuseWithoutMain(
  transaction: EntityManager,
  { id, organizationId }: EmailSender,
): Promise<void> {
  const hasOthers = await transaction.getRepository(EmailSender).existsBy({ organizationId, id: Not(id) });
  if (!hasOthers) return;
  throw new AppError('STATE_CONFLICT', 'This is the main sender. Make another sender the main sender first.');
}
