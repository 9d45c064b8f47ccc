import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUniqueViolation, newId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { hashToken, KeyRing, newToken } from '@heliograph/secrets';
import { checkDisplayName } from '@heliograph/tenancy';
import { IsNull, MoreThan, Repository, type EntityManager } from 'typeorm';
import { checkUserAddress, readUserAddress } from './email-address';
import { hashNewPassword, hashPassword, verifyPassword } from './login/passwords';
import { endOtherSessions, forgetDevices } from './sessions/revoke-access';
import { EmailVerification, PasswordReset } from './sessions/session.entity';
import { User } from './user.entity';
import { TOTP_SECRET, USER_KEY_RING } from './user-secrets';

const RESET_MINUTES = 60;
const VERIFICATION_HOURS = 24;
/** Prevents repeated requests from flooding a mailbox. */
const RESETS_APART_SECONDS = 60;

export interface NewUser {
  email: string;
  name: string;
  password: string;
}

/** Creates and changes users and their passwords. */
@Injectable()
export class UsersService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    @Inject(USER_KEY_RING) private readonly keys: KeyRing,
  ) {}

  /**
   * Finds a user by the address as a person writes it, in any case and with surrounding spaces. Users of earlier releases
   * may have an address that is no longer accepted or a domain that is not in A-labels; they are found by the address
   * that they registered with.
   */
  async byEmail(email: string, manager: EntityManager = this.users.manager): Promise<User | null> {
    const users = manager.getRepository(User);
    const written = email.trim().toLowerCase();
    const key = readUserAddress(email) ?? written;
    const user = await users.findOneBy({ email: key });
    return user ?? (key === written ? null : users.findOneBy({ email: written }));
  }

  /**
   * For `insert`: validates and hashes before the transaction starts, so that it does not wait for the hash. Throws
   * VALIDATION_ERROR.
   */
  async prepare({ email, name, password }: NewUser): Promise<User> {
    const address = checkUserAddress(email);
    checkDisplayName(name, 'name');
    return composeUser(address, name, await hashNewPassword(password, address));
  }

  /** Throws NAME_TAKEN. */
  async insert(transaction: EntityManager, user: User): Promise<User> {
    try {
      await transaction.getRepository(User).insert(user);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new AppError('NAME_TAKEN', `A user with the address ${user.email} already exists.`, { cause: error });
    }
    return user;
  }

  /** Throws VALIDATION_ERROR. */
  async rename(transaction: EntityManager, user: User, name: string): Promise<User> {
    checkDisplayName(name, 'name');
    await transaction.getRepository(User).update(user.id, { name });
    return { ...user, name };
  }

  /**
   * For provisioning: updates the user with this address, or creates it. Absent properties are not changed; a new
   * user without a password gets the result of `generate`. Passwords from provisioning are not checked for strength.
   */
  async putUser(
    transaction: EntityManager,
    given: { email: string; name: string; password: string | undefined; totpSecret: string | null },
    generate: () => string,
  ): Promise<{ user: User; generated: string | null }> {
    const address = checkUserAddress(given.email);
    checkDisplayName(given.name, 'name');
    const existing = await this.byEmail(given.email, transaction);
    const generated = existing || given.password !== undefined ? null : generate();
    const user =
      existing ??
      (await this.insert(
        transaction,
        composeUser(address, given.name, await hashPassword(given.password ?? generated ?? '')),
      ));
    user.name = given.name;
    const totpSecret = given.totpSecret?.toUpperCase();
    const before = user.totpSecret && TOTP_SECRET.open(this.keys, user.id, user.totpSecret);
    if (totpSecret !== undefined && totpSecret !== before) {
      user.totpSecret = TOTP_SECRET.seal(this.keys, user.id, totpSecret);
    }
    if (existing && given.password !== undefined && !(await verifyPassword(user.passwordHash, given.password))) {
      user.passwordHash = await hashPassword(given.password);
    }
    return { user: await transaction.getRepository(User).save(user), generated };
  }

  /** Stores the result of `hashNewPassword`. Ends all sessions except the given one, pending resets and known devices. */
  async changePassword(
    transaction: EntityManager,
    user: User,
    passwordHash: string,
    keepSessionId: string | null,
  ): Promise<void> {
    await transaction.getRepository(User).update(user.id, { passwordHash });
    await transaction.getRepository(PasswordReset).delete({ userId: user.id });
    await endOtherSessions(transaction, user.id, keepSessionId);
    await forgetDevices(transaction, user.id);
  }

  /**
   * Returns the token for the password reset email; the previous one becomes invalid. Null if a reset was requested
   * less than a minute ago.
   */
  async startReset(transaction: EntityManager, userId: string): Promise<{ token: string; expiresAt: Date } | null> {
    const repository = transaction.getRepository(PasswordReset);
    const justNow = MoreThan(new Date(Date.now() + (RESET_MINUTES * 60 - RESETS_APART_SECONDS) * 1000));
    if (await repository.existsBy({ userId, expiresAt: justNow })) return null;
    const token = newToken();
    const expiresAt = new Date(Date.now() + RESET_MINUTES * 60_000);
    await repository.delete({ userId });
    await repository.insert({ tokenHash: hashToken(token), userId, expiresAt });
    return { token, expiresAt };
  }

  /** Finds and locks the reset of a token, so that it is used once. Throws NOT_FOUND. */
  async byResetToken(token: string, manager: EntityManager = this.users.manager, lock = false): Promise<User> {
    const reset = await manager.getRepository(PasswordReset).findOne({
      where: { tokenHash: hashToken(token), expiresAt: MoreThan(new Date()) },
      ...(lock ? { lock: { mode: 'pessimistic_write' } } : {}),
    });
    const user = reset ? await manager.getRepository(User).findOneBy({ id: reset.userId }) : null;
    if (!user) throw new AppError('NOT_FOUND', 'The link is no longer valid. Request a new one.');
    return user;
  }

  /** Stores the result of `hashNewPassword`. Throws NOT_FOUND for an unknown or expired token. */
  async finishReset(transaction: EntityManager, token: string, passwordHash: string): Promise<User> {
    const user = await this.byResetToken(token, transaction, true);
    await this.changePassword(transaction, user, passwordHash, null);
    await this.markVerified(transaction, user.id);
    return user;
  }

  /**
   * Returns the token for the verification email; earlier ones become invalid. Null if one was requested less than a minute
   * ago.
   */
  async startVerification(
    transaction: EntityManager,
    userId: string,
  ): Promise<{ token: string; expiresAt: Date } | null> {
    const repository = transaction.getRepository(EmailVerification);
    const expiresAt = new Date(Date.now() + VERIFICATION_HOURS * 3_600_000);
    const justNow = MoreThan(new Date(expiresAt.getTime() - RESETS_APART_SECONDS * 1_000));
    if (await repository.existsBy({ userId, expiresAt: justNow })) return null;
    const token = newToken();
    await repository.delete({ userId });
    await repository.insert({ tokenHash: hashToken(token), userId, expiresAt });
    return { token, expiresAt };
  }

  /** Returns the user whose address is verified now; null for a token that is unknown, used or expired. */
  async finishVerification(transaction: EntityManager, token: string): Promise<User | null> {
    const repository = transaction.getRepository(EmailVerification);
    const found = await repository.findOne({
      where: { tokenHash: hashToken(token), expiresAt: MoreThan(new Date()) },
      lock: { mode: 'pessimistic_write' },
    });
    if (!found) return null;
    await repository.delete({ userId: found.userId });
    await this.markVerified(transaction, found.userId);
    return transaction.getRepository(User).findOneBy({ id: found.userId });
  }

  private async markVerified(transaction: EntityManager, userId: string): Promise<void> {
    await transaction
      .getRepository(User)
      .update({ id: userId, emailVerifiedAt: IsNull() }, { emailVerifiedAt: new Date() });
  }
}

/** Returns a new user for `UsersService.insert`. */
export function composeUser(email: string, name: string, passwordHash: string): User {
  return {
    id: newId(),
    email,
    name,
    passwordHash,
    totpSecret: null,
    pendingTotpSecret: null,
    lastTotpStep: 0,
    emailVerifiedAt: new Date(),
    createdAt: new Date(),
  };
}

/** The error for actions that require a verified email address. */
export function emailNotVerified(): AppError {
  return new AppError(
    'EMAIL_NOT_VERIFIED',
    'Verify your email address first. POST /api/v1/auth/verify-email with {"email"} sends a new link.',
  );
}
