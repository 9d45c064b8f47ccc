import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { insertNew, newId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { hashToken, KeyRing, newToken } from '@heliograph/secrets';
import { checkDisplayName } from '@heliograph/tenancy';
import { IsNull, LessThanOrEqual, MoreThan, Not, Repository, type EntityManager } from 'typeorm';
import { checkUserAddress, readUserAddress } from './email-address';
import { hashNewPassword, hashPassword, verifyPassword } from './login/passwords';
import { endOtherSessions, forgetDevices } from './sessions/revoke-access';
import { Member } from './member.entity';
import { Device, EmailVerification, PasswordReset, Session } from './sessions/session.entity';
import { RecoveryCode, User } from './user.entity';
import { TOTP_SECRET, USER_KEY_RING } from './user-secrets';

const RESET_MINUTES = 60;
const VERIFICATION_HOURS = 24;
/** Prevents repeated requests from flooding a mailbox. */
const RESETS_APART_SECONDS = 60;

export interface NewUser {
  email: string;
  name: string;
  password: string;
  /** Names of the organization of the user, which must not be the password. */
  organizations?: readonly string[];
}

/** A proof that a user controls the address of the account. */
export interface AddressProof {
  user: User;
  /** True for the first proof, which verifies the address of the account. */
  isFirst: boolean;
}

/** A registration that was deleted because its address was not verified. */
export interface Discarded {
  /** Time at which the next verification email may be sent to the address; null for at once. */
  mailDueAt: Date | null;
}

export interface StartedVerification {
  /** Token for the email; null if the email is due later. */
  token: string | null;
  expiresAt: Date;
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
  async prepare({ email, name, password, organizations = [] }: NewUser): Promise<User> {
    const address = checkUserAddress(email);
    checkDisplayName(name, 'name');
    return composeUser(address, name, await hashNewPassword(password, [address, name, ...organizations]));
  }

  /** Validates and hashes a new password of a user. Throws VALIDATION_ERROR. */
  async hashPasswordOf({ id, email, name }: User, password: string, field = 'password'): Promise<string> {
    const organizations = await this.users.query<{ name: string }[]>(
      `SELECT o.name FROM users.members AS m JOIN tenancy.organizations AS o ON o.id = m.organization_id
       WHERE m.user_id = $1`,
      [id],
    );
    return hashNewPassword(password, [email, name, ...organizations.map((one) => one.name)], field);
  }

  /** Throws NAME_TAKEN. */
  async insert(transaction: EntityManager, user: User): Promise<User> {
    if (await insertNew(transaction.getRepository(User), user)) return user;
    throw new AppError('NAME_TAKEN', `A user with the address ${user.email} already exists.`);
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
   * A registration whose address is not verified is replaced, because anyone may have made it.
   */
  async putUser(
    transaction: EntityManager,
    given: { email: string; name: string; password: string | undefined; totpSecret: string | null },
    generate: () => string,
  ): Promise<{ user: User; generated: string | null }> {
    const address = checkUserAddress(given.email);
    checkDisplayName(given.name, 'name');
    const found = await this.byEmail(given.email, transaction);
    const isReplaced = found !== null && (await this.lockUnverified(transaction, found));
    if (isReplaced) await this.discard(transaction, found);
    const existing = isReplaced ? null : found;
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

  /** Stores the result of `hashPasswordOf`. Ends all sessions except the given one, pending resets and known devices. */
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

  /** Finds the user of a reset link. Throws NOT_FOUND. */
  async byResetToken(token: string, manager: EntityManager = this.users.manager): Promise<User> {
    const reset = await manager
      .getRepository(PasswordReset)
      .findOneBy({ tokenHash: hashToken(token), expiresAt: MoreThan(new Date()) });
    const user = reset ? await manager.getRepository(User).findOneBy({ id: reset.userId }) : null;
    if (!user) throw resetNotFound();
    return user;
  }

  /**
   * Stores the result of `hashPasswordOf`. The link was sent to the address, so it also verifies the address. Throws
   * NOT_FOUND for a token that is unknown, used or expired.
   */
  async finishReset(transaction: EntityManager, token: string, passwordHash: string): Promise<AddressProof> {
    const { id } = await this.byResetToken(token, transaction);
    const user = await this.lock(transaction, id);
    const { affected } = await transaction.getRepository(PasswordReset).delete({ tokenHash: hashToken(token) });
    if (!user || affected !== 1) throw resetNotFound();
    await this.changePassword(transaction, user, passwordHash, null);
    return this.verifyAddress(transaction, user, null);
  }

  /**
   * Returns the token for the verification email; earlier ones become invalid. Null if one was requested less than a minute
   * ago.
   */
  async startVerification(transaction: EntityManager, userId: string): Promise<StartedVerification | null> {
    if (await this.newestVerification(transaction, userId)) return null;
    return this.replaceVerification(transaction, userId, null);
  }

  /**
   * Starts the verification of a registration that replaces a discarded one. The token is null if the email is not due yet;
   * `nextDueVerification` then returns the token.
   */
  continueVerification(
    transaction: EntityManager,
    userId: string,
    { mailDueAt }: Discarded,
  ): Promise<StartedVerification> {
    return this.replaceVerification(transaction, userId, mailDueAt);
  }

  /** Returns an unverified user whose verification email is due, with the token for it; null if there is none. */
  async nextDueVerification(
    transaction: EntityManager,
  ): Promise<{ user: User; token: string | null; expiresAt: Date } | null> {
    const due = await transaction.getRepository(EmailVerification).findOne({
      where: { mailDueAt: LessThanOrEqual(new Date()) },
      lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
    });
    const user = due ? await transaction.getRepository(User).findOneBy({ id: due.userId }) : null;
    if (!user) return null;
    return { user, ...(await this.replaceVerification(transaction, user.id, null)) };
  }

  /**
   * Verifies the address of a user with the token of the link. `keepSessionId` is the session of the request, if any.
   * Null for a token that is unknown, used or expired.
   */
  async finishVerification(
    transaction: EntityManager,
    token: string,
    keepSessionId: string | null,
  ): Promise<AddressProof | null> {
    const tokenHash = hashToken(token);
    const verifications = transaction.getRepository(EmailVerification);
    const found = await verifications.findOneBy({ tokenHash, expiresAt: MoreThan(new Date()) });
    const user = found && (await this.lock(transaction, found.userId));
    if (!user || (await verifications.delete({ tokenHash })).affected !== 1) return null;
    return this.verifyAddress(transaction, user, keepSessionId);
  }

  /**
   * Locks a user whose address is not verified, so that it cannot be verified until the transaction ends. False if the
   * address is verified.
   */
  async lockUnverified(transaction: EntityManager, { id }: Pick<User, 'id'>): Promise<boolean> {
    const user = await this.lock(transaction, id);
    return user !== null && user.emailVerifiedAt === null;
  }

  /** Deletes a user who was locked by `lockUnverified`, with all sessions, tokens, devices and memberships. */
  async discard(transaction: EntityManager, { id: userId }: Pick<User, 'id'>): Promise<Discarded> {
    const mailDueAt = await this.nextVerificationMailAt(transaction, userId);
    const owned = [EmailVerification, PasswordReset, RecoveryCode, Device, Session, Member];
    for (const entity of owned) await transaction.getRepository<{ userId: string }>(entity).delete({ userId });
    await transaction.getRepository(User).delete(userId);
    return { mailDueAt };
  }

  /**
   * Marks the address of a locked user as verified. Before, somebody else may have used the account: the first proof ends all
   * sessions except the given one, and removes the second factor and the known devices.
   */
  private async verifyAddress(
    transaction: EntityManager,
    user: User,
    keepSessionId: string | null,
  ): Promise<AddressProof> {
    await transaction.getRepository(EmailVerification).delete({ userId: user.id });
    if (user.emailVerifiedAt !== null) return { user, isFirst: false };
    const changes = { emailVerifiedAt: new Date(), totpSecret: null, pendingTotpSecret: null };
    await transaction.getRepository(User).update(user.id, changes);
    await transaction.getRepository(RecoveryCode).delete({ userId: user.id });
    await transaction.getRepository(PasswordReset).delete({ userId: user.id });
    await endOtherSessions(transaction, user.id, keepSessionId);
    await forgetDevices(transaction, user.id);
    return { user: { ...user, ...changes }, isFirst: true };
  }

  /** Every transaction that uses a link locks the user first, so that two of them cannot block each other. */
  private lock(transaction: EntityManager, id: string): Promise<User | null> {
    return transaction.getRepository(User).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** The verification that was requested less than a minute ago, or whose email is not sent yet. */
  private newestVerification(transaction: EntityManager, userId: string): Promise<EmailVerification | null> {
    const oldest = Date.now() + VERIFICATION_HOURS * 3_600_000 - RESETS_APART_SECONDS * 1_000;
    return transaction.getRepository(EmailVerification).findOneBy([
      { userId, expiresAt: MoreThan(new Date(oldest)) },
      { userId, mailDueAt: Not(IsNull()) },
    ]);
  }

  /** Null for at once. */
  private async nextVerificationMailAt(transaction: EntityManager, userId: string): Promise<Date | null> {
    const newest = await this.newestVerification(transaction, userId);
    if (newest === null) return null;
    const sentAt = newest.expiresAt.getTime() - VERIFICATION_HOURS * 3_600_000;
    return newest.mailDueAt ?? new Date(sentAt + RESETS_APART_SECONDS * 1_000);
  }

  private async replaceVerification(
    transaction: EntityManager,
    userId: string,
    mailDueAt: Date | null,
  ): Promise<StartedVerification> {
    const token = newToken();
    const expiresAt = new Date(Date.now() + VERIFICATION_HOURS * 3_600_000);
    const repository = transaction.getRepository(EmailVerification);
    await repository.delete({ userId });
    await repository.insert({ tokenHash: hashToken(token), userId, expiresAt, mailDueAt });
    return { token: mailDueAt === null ? token : null, expiresAt };
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

function resetNotFound(): AppError {
  return new AppError(
    'NOT_FOUND',
    'The link is no longer valid. POST /api/v1/auth/reset-password with {"email"} sends a new one.',
  );
}

/** The error for actions that require a verified email address. */
export function emailNotVerified(): AppError {
  return new AppError(
    'EMAIL_NOT_VERIFIED',
    'Verify your email address first. POST /api/v1/auth/verify-email with {"email"} sends a new link.',
  );
}
