import { IsNull, Not, type EntityManager } from 'typeorm';
import { Device, Session } from './session.entity';

/** Ends all sessions of a user except the given one. */
export async function endOtherSessions(
  transaction: EntityManager,
  userId: string,
  keepSessionId: string | null,
): Promise<void> {
  const others = keepSessionId === null ? {} : { id: Not(keepSessionId) };
  const criteria = { userId, revokedAt: IsNull(), ...others };
  await transaction.getRepository(Session).update(criteria, { revokedAt: new Date() });
}

/**
 * After a change of a credential: a device cookie from before it may be in the hands of whoever made the change
 * necessary. Each browser gets a new one with its next login.
 */
export async function forgetDevices(transaction: EntityManager, userId: string): Promise<void> {
  await transaction.getRepository(Device).delete({ userId });
}
