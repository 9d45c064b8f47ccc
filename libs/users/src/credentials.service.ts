import { Inject, Injectable } from '@nestjs/common';
import { newId, poolOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { DataSource } from 'typeorm';
import { attemptKey, forgetFailures, noteFailure, refuseTooManyFailures } from './login-attempts';
import { MfaService } from './mfa.service';
import { verifyPassword } from './passwords';
import { Device } from './session.entity';
import type { Origin } from './sessions.service';
import { hashToken } from './tokens';
import type { User } from './user.entity';
import { UsersService } from './users.service';

export interface Credentials {
  email: string;
  password: string;
  /** Of the authenticator app, or a recovery code. */
  code: string | undefined;
}

/** Where somebody tries, and with which browser. */
export interface Attempt {
  from: Origin;
  /** The token of an earlier login of this browser. */
  deviceToken: string | undefined;
}

export interface Proof {
  user: User;
  /** Whether the browser has logged in as this user before. */
  isKnownDevice: boolean;
}

/** The one place that compares passwords and codes: every failure counts, wherever it is made. */
@Injectable()
export class CredentialsService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(UsersService) private readonly users: UsersService,
    @Inject(MfaService) private readonly mfa: MfaService,
  ) {}

  /** Who it is. Throws AUTH_INVALID_CREDENTIALS, AUTH_MFA_REQUIRED, RATE_LIMITED. */
  async prove({ email, password, code }: Credentials, attempt: Attempt): Promise<Proof> {
    const user = await this.users.byEmail(email.trim());
    const device = await this.knownDevice(user, attempt.deviceToken);
    const key = attemptKey(email, attempt.from.ipAddress, device);
    await this.count(key, async () => {
      if (!(await verifyPassword(user?.passwordHash ?? null, password)) || !user) return false;
      if (user.totpSecret === null) return true;
      if (code !== undefined) return this.tryCode(user, code, device !== null);
      throw new AppError(
        'AUTH_MFA_REQUIRED',
        'Send the code of your authenticator app, or a recovery code, as "code".',
      );
    });
    if (!user) throw wrong();
    return { user, isKnownDevice: device !== null };
  }

  /** That whoever is logged in knows the password, too. Throws AUTH_INVALID_CREDENTIALS, RATE_LIMITED. */
  async provePassword(user: User, password: string, attempt: Attempt): Promise<void> {
    await this.count(await this.keyOf(user, attempt), () => verifyPassword(user.passwordHash, password));
  }

  /** Uses the code up. Throws MFA_NOT_ENABLED, AUTH_INVALID_CREDENTIALS, RATE_LIMITED. */
  async proveCode(user: User, code: string, attempt: Attempt): Promise<void> {
    if (user.totpSecret === null) throw new AppError('MFA_NOT_ENABLED', 'There is no second factor. Enroll one first.');
    await this.count(await this.keyOf(user, attempt), () => this.mfa.useCode(this.dataSource.manager, user, code));
  }

  /** For somebody who has proved by mail who it is. */
  async forgive(user: User, attempt: Attempt): Promise<void> {
    await forgetFailures(poolOf(this.dataSource), await this.keyOf(user, attempt));
  }

  /**
   * Whoever has come as far as the code knows the password. So a stranger's wrong codes count for the user, too,
   * over all networks; a browser that the user has logged in with is let through.
   */
  private async tryCode(user: User, code: string, isKnownDevice: boolean): Promise<boolean> {
    const isRight = () => this.mfa.useCode(this.dataSource.manager, user, code);
    if (isKnownDevice) return isRight();
    const pool = poolOf(this.dataSource);
    const key = `code ${user.id}`;
    await refuseTooManyFailures(pool, key);
    if (await isRight()) return true;
    await noteFailure(pool, key);
    return false;
  }

  /** Outside of every transaction: a failure counts although nothing else comes of it. */
  private async count(key: string, isRight: () => Promise<boolean>): Promise<void> {
    const pool = poolOf(this.dataSource);
    await refuseTooManyFailures(pool, key);
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
    // Asked for nobody as well, because an address that nobody has must cost the same time.
    const known = await this.dataSource.getRepository(Device).existsBy({ tokenHash, userId: user?.id ?? newId() });
    return known ? tokenHash : null;
  }
}

function wrong(): AppError {
  return new AppError('AUTH_INVALID_CREDENTIALS', 'Email, password or code is wrong. Check them and try again.');
}
