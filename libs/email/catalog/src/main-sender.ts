import { AppError } from '@heliograph/errors';
import { Not, type EntityManager } from 'typeorm';
import { EmailSender } from './sender.entity';

// Any constant does; all processes of all versions must use the same.
const SENDERS_LOCK = 7_236_100_422;

/** Of an organization with senders exactly one is the main one: whoever changes which holds this until its end. */
export async function lockSenders(transaction: EntityManager, organizationId: string): Promise<void> {
  await transaction.query('SELECT pg_advisory_xact_lock(hashtextextended($1, $2))', [organizationId, SENDERS_LOCK]);
}

/** Whether a new sender is the main one: it asks to be, or it is the first. The one before steps back. */
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

/** Throws STATE_CONFLICT while there are others that could be the main one. */
export async function refuseWithoutMain(
  transaction: EntityManager,
  { id, organizationId }: EmailSender,
): Promise<void> {
  const hasOthers = await transaction.getRepository(EmailSender).existsBy({ organizationId, id: Not(id) });
  if (!hasOthers) return;
  throw new AppError('STATE_CONFLICT', 'This is the main sender. Make another one the main sender first.');
}
