import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { AppError } from '@heliograph/errors';
import { KeyRing } from '@heliograph/secrets';
import { IsNull, Repository, type EntityManager } from 'typeorm';
import { endOtherSessions, forgetDevices } from '../sessions/revoke-access';
import { hashRecoveryCode, newRecoveryCodes, newTotpSecret, totpStep } from './totp';
import { RecoveryCode, User } from '../user.entity';
import { PENDING_TOTP_SECRET, TOTP_SECRET, USER_KEY_RING } from '../user-secrets';

/** Multi-factor authentication with an authenticator app (TOTP) and recovery codes. */
@Injectable()
export class MfaService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    @InjectRepository(RecoveryCode) private readonly recoveryCodes: Repository<RecoveryCode>,
    @Inject(USER_KEY_RING) private readonly keys: KeyRing,
  ) {}

  /** Creates the secret for the authenticator app, which is pending until `confirm`. Throws MFA_ALREADY_ENABLED. */
  async enroll(user: User): Promise<string> {
    if (user.totpSecret !== null) {
      throw new AppError(
        'MFA_ALREADY_ENABLED',
        'Multi-factor authentication is already enabled. Disable it before you enroll another authenticator app.',
      );
    }
    const secret = newTotpSecret();
    const pendingTotpSecret = PENDING_TOTP_SECRET.seal(this.keys, user.id, secret);
    await this.users.update(user.id, { pendingTotpSecret });
    return secret;
  }

  /**
   * Enables multi-factor authentication and ends all sessions except the given one, because they were opened without
   * it. Returns the recovery codes, which cannot be retrieved later. Throws STATE_CONFLICT, AUTH_INVALID_CREDENTIALS.
   */
  async confirm(transaction: EntityManager, user: User, code: string, keepSessionId: string): Promise<string[]> {
    const { pendingTotpSecret } = user;
    if (pendingTotpSecret === null) throw nothingToConfirm();
    const secret = PENDING_TOTP_SECRET.open(this.keys, user.id, pendingTotpSecret);
    const step = totpStep(secret, code, 0);
    if (step === null) {
      throw new AppError('AUTH_INVALID_CREDENTIALS', 'The code is wrong. Check the clock of the authenticator app.');
    }
    // Of two concurrent confirmations only one succeeds, and its codes are the valid ones.
    const { affected } = await transaction
      .getRepository(User)
      .update(
        { id: user.id, pendingTotpSecret, totpSecret: IsNull() },
        { totpSecret: TOTP_SECRET.seal(this.keys, user.id, secret), pendingTotpSecret: null, lastTotpStep: step },
      );
    if (affected !== 1) throw nothingToConfirm();
    await endOtherSessions(transaction, user.id, keepSessionId);
    return this.replaceRecoveryCodes(transaction, user);
  }

  /** For a user who passed the second factor. */
  async disable(transaction: EntityManager, user: User): Promise<void> {
    await transaction.getRepository(User).update(user.id, { totpSecret: null, pendingTotpSecret: null });
    await transaction.getRepository(RecoveryCode).delete({ userId: user.id });
    await forgetDevices(transaction, user.id);
  }

  /** Replaces the recovery codes; the previous ones become invalid, and no device is known any more. */
  async replaceRecoveryCodes(transaction: EntityManager, user: User): Promise<string[]> {
    const codes = newRecoveryCodes();
    const repository = transaction.getRepository(RecoveryCode);
    await repository.delete({ userId: user.id });
    await repository.insert(
      codes.flatMap((code) => {
        const hash = hashRecoveryCode(code);
        return hash ? [{ userId: user.id, hash }] : [];
      }),
    );
    await forgetDevices(transaction, user.id);
    return codes;
  }

  recoveryCodesLeft(user: User): Promise<number> {
    return this.recoveryCodes.countBy({ userId: user.id });
  }

  /** Verifies and consumes a code. Of two concurrent attempts with the same code, only one succeeds. */
  async useCode(manager: EntityManager, user: User, code: string): Promise<boolean> {
    const plain = code.trim();
    const step =
      user.totpSecret === null
        ? null
        : totpStep(TOTP_SECRET.open(this.keys, user.id, user.totpSecret), plain, user.lastTotpStep);
    if (step !== null) {
      const { affected } = await manager
        .createQueryBuilder()
        .update(User)
        .set({ lastTotpStep: step })
        .where('id = :id AND last_totp_step < :step', { id: user.id, step })
        .execute();
      return affected === 1;
    }
    const hash = hashRecoveryCode(plain);
    if (hash === null) return false;
    const { affected } = await manager.getRepository(RecoveryCode).delete({ userId: user.id, hash });
    return affected === 1;
  }
}

function nothingToConfirm(): AppError {
  return new AppError('STATE_CONFLICT', 'No enrollment is pending. Request a secret first.');
}
