import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@heliograph/errors';
import { DataSource, IsNull, type EntityManager } from 'typeorm';
import { hashRecoveryCode, newRecoveryCodes, newTotpSecret, totpStep } from './totp';
import { RecoveryCode, User } from './user.entity';

/** The second factor: an authenticator app, and recovery codes for the day it is lost. */
@Injectable()
export class MfaService {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  /** The secret for the app. It counts once `confirm` has seen a code made with it. Throws MFA_ALREADY_ENABLED. */
  async enroll(user: User): Promise<string> {
    if (user.totpSecret !== null) {
      throw new AppError(
        'MFA_ALREADY_ENABLED',
        'There is a second factor already. Remove it before you enroll another.',
      );
    }
    const secret = newTotpSecret();
    await this.dataSource.getRepository(User).update(user.id, { pendingTotpSecret: secret });
    return secret;
  }

  /**
   * Switches the second factor on; answers the recovery codes, which are not to be had again. Throws STATE_CONFLICT,
   * AUTH_INVALID_CREDENTIALS.
   */
  async confirm(transaction: EntityManager, user: User, code: string): Promise<string[]> {
    const { pendingTotpSecret: secret } = user;
    if (secret === null) throw nothingToConfirm();
    const step = totpStep(secret, code, 0);
    if (step === null) {
      throw new AppError('AUTH_INVALID_CREDENTIALS', 'This is not the code that the app shows now. Check its clock.');
    }
    // Of two confirmations at once one gives the codes, and they are the ones that count.
    const { affected } = await transaction
      .getRepository(User)
      .update(
        { id: user.id, pendingTotpSecret: secret, totpSecret: IsNull() },
        { totpSecret: secret, pendingTotpSecret: null, lastTotpStep: step },
      );
    if (affected !== 1) throw nothingToConfirm();
    return this.replaceRecoveryCodes(transaction, user);
  }

  /** For somebody who has proved to have it. */
  async disable(transaction: EntityManager, user: User): Promise<void> {
    await transaction.getRepository(User).update(user.id, { totpSecret: null, pendingTotpSecret: null });
    await transaction.getRepository(RecoveryCode).delete({ userId: user.id });
  }

  /** New recovery codes in the place of the old ones, which stop working. */
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
    return codes;
  }

  recoveryCodesLeft(user: User): Promise<number> {
    return this.dataSource.getRepository(RecoveryCode).countBy({ userId: user.id });
  }

  /** Whether the code is right; it is used up then. Of two at the same moment, one is right. */
  async useCode(manager: EntityManager, user: User, code: string): Promise<boolean> {
    const plain = code.trim();
    const step = user.totpSecret === null ? null : totpStep(user.totpSecret, plain, user.lastTotpStep);
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
  return new AppError('STATE_CONFLICT', 'There is nothing to confirm. Ask for a secret first.');
}
