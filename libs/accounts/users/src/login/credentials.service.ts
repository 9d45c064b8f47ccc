import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { newId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { LaneObserver } from '@heliograph/fairness';
import { hashToken } from '@heliograph/secrets';
import { Admission, networkOf } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { Repository, type EntityManager } from 'typeorm';
import { accountKey, attemptKey, forgetFailures, noteFailure, refuseTooManyFailures } from './login-attempts';
import { MfaService } from './mfa.service';
import { LoginHistory } from './login-history';
import { observeHashing, verifyLogin, verifyPassword } from './passwords';
import { Device } from '../sessions/session.entity';
import type { Origin } from '../sessions/sessions.service';
import { User } from '../user.entity';
import { UsersService } from '../users.service';

export interface Credentials {
  email: string;
  password: string;
  /** A code from the authenticator app, or a recovery code. */
  code: string | undefined;
}

/** Origin of an authentication attempt. */
export interface Attempt {
  from: Origin;
  /** Device token from an earlier login of this browser. */
  deviceToken: string | undefined;
}

export interface Proof {
  user: User;
  /** Whether the browser has logged in as this user before. */
  isKnownDevice: boolean;
}

/** Verifies passwords and codes. Every failure counts towards the lockout, regardless of the endpoint. */
@Injectable()
export class CredentialsService {
  private readonly history = new LoginHistory();

  constructor(
    @InjectRepository(Device) private readonly devices: Repository<Device>,
    private readonly pool: Pool,
    private readonly users: UsersService,
    private readonly mfa: MfaService,
    private readonly admission: Admission,
    observer: LaneObserver,
  ) {
    observeHashing(observer);
  }

  /**
   * Authenticates a user. Waits for slots of its own, so the caller must hold none. Throws AUTH_INVALID_CREDENTIALS,
   * AUTH_MFA_REQUIRED, RATE_LIMITED.
   */
  async prove({ email, password, code }: Credentials, attempt: Attempt): Promise<Proof> {
    const network = networkOf(attempt.from.ipAddress);
    const { user, device, key } = await this.admission.run('anonymous', network, async () => {
      const found = await this.users.byEmail(email);
      const known = await this.knownDevice(found, attempt.deviceToken);
      const failuresKey = attemptKey(email, attempt.from.ipAddress, known);
      await refuseTooManyFailures(this.pool, failuresKey);
      return { user: found, device: known, key: failuresKey };
    });
    const login = { account: accountKey(email), network, isKnownDevice: device !== null };
    const isPassword = await verifyLogin(user?.passwordHash ?? null, password, this.history.laneOf(login));
    this.history.note(login, isPassword);
    return this.admission.runRest('anonymous', network, async () => {
      await this.settle(key, async () => {
        if (!isPassword || !user) return false;
        if (user.totpSecret === null) return true;
        if (code !== undefined) return this.tryCode(user, code);
        throw new AppError(
          'AUTH_MFA_REQUIRED',
          'Multi-factor authentication is required. Send a code from the authenticator app, or a recovery code, as "code".',
        );
      });
      if (!user) throw wrong();
      return { user, isKnownDevice: device !== null };
    });
  }

  /**
   * Locks the user in the transaction that opens a session, so that a change of the password ends that session too. Throws
   * AUTH_INVALID_CREDENTIALS if the password has changed since it was verified.
   */
  async assertCurrent(transaction: EntityManager, { user: { id, passwordHash } }: Proof): Promise<void> {
    const current = await transaction.findOne(User, {
      where: { id, passwordHash },
      lock: { mode: 'pessimistic_read' },
    });
    if (!current) throw wrong();
  }

  /** Verifies the password of a logged-in user. Throws AUTH_INVALID_CREDENTIALS, RATE_LIMITED. */
  async provePassword(user: User, password: string, attempt: Attempt): Promise<void> {
    await this.count(await this.keyOf(user, attempt), () => verifyPassword(user.passwordHash, password));
  }

  /** Verifies and consumes a code. Throws MFA_NOT_ENABLED, AUTH_INVALID_CREDENTIALS, RATE_LIMITED. */
  async proveCode(user: User, code: string, attempt: Attempt): Promise<void> {
    if (user.totpSecret === null)
      throw new AppError(
        'MFA_NOT_ENABLED',
        'Multi-factor authentication is not enabled. Enroll an authenticator app first.',
      );
    await this.count(await this.keyOf(user, attempt), () => this.tryCode(user, code));
  }

  /** For a user who proved access to the email address. */
  async forgive(user: User, attempt: Attempt): Promise<void> {
    await forgetFailures(this.pool, await this.keyOf(user, attempt));
  }

  /**
   * Wrong codes count for the user across all networks and devices, because the sender of a code knows the password or
   * has a session. Throws RATE_LIMITED.
   */
  private async tryCode(user: User, code: string): Promise<boolean> {
    const { pool } = this;
    const key = `code ${user.id}`;
    await refuseTooManyFailures(pool, key);
    if (await this.mfa.useCode(this.devices.manager, user, code)) return true;
    await noteFailure(pool, key);
    return false;
  }

  /** Runs outside of any transaction, so that failures are counted even if the request rolls back. */
  private async count(key: string, isRight: () => Promise<boolean>): Promise<void> {
    await refuseTooManyFailures(this.pool, key);
    return this.settle(key, isRight);
  }

  private async settle(key: string, isRight: () => Promise<boolean>): Promise<void> {
    const { pool } = this;
    if (await isRight()) return forgetFailures(pool, key);
    await noteFailure(pool, key);
    throw wrong();
  }

  private async keyOf(user: User, { from, deviceToken }: Attempt): Promise<string> {
    return attemptKey(user.email, from.ipAddress, await this.knownDevice(user, deviceToken));
  }

  private async knownDevice(user: User | null, token: string | undefined): Promise<Buffer | null> {
    if (token === undefined) return null;
    const tokenHash = hashToken(token);
    // Also runs for unknown addresses, so that the response time does not reveal whether a user exists.
    const known = await this.devices.existsBy({ tokenHash, userId: user?.id ?? newId() });
    return known ? tokenHash : null;
  }
}

function wrong(): AppError {
  return new AppError(
    'AUTH_INVALID_CREDENTIALS',
    'The email address, password or code is wrong. Check them and try again.',
  );
}
