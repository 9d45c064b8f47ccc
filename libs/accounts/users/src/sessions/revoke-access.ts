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
 * Revokes the known devices after a change of a credential, because an attacker may have the device cookies from
 * before. Each browser gets a new cookie with its next login.
 */
export async function forgetDevices(transaction: EntityManager, userId: string): Promise<void> {
  await transaction.getRepository(Device).delete({ userId });
}
