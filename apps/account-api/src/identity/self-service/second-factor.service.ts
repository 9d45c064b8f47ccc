import { Inject, Injectable } from '@nestjs/common';
import { CredentialsService, MfaService, totpUri, type User } from '@heliograph/users';
import { CONFIG } from '@heliograph/service-kit';
import type { AccountApiConfig } from '../../account-api.config';
import type { AuthenticatedUser } from './authenticated-user';
import { PersonalUnitOfWork } from './personal-unit-of-work.service';
import type { Enrollment, RecoveryCodes, SecondFactor } from './second-factor.dto';

/**
 * Manages multi-factor authentication of a user. Each change requires the password or a code in addition to the
 * session.
 */
@Injectable()
export class SecondFactorService {
  constructor(
    private readonly mfa: MfaService,
    private readonly credentials: CredentialsService,
    private readonly unitOfWork: PersonalUnitOfWork,
    @Inject(CONFIG) private readonly config: AccountApiConfig,
  ) {}

  async look(user: User): Promise<SecondFactor> {
    return { enabled: user.totpSecret !== null, recoveryCodesLeft: await this.mfa.recoveryCodesLeft(user) };
  }

  /** Throws AUTH_INVALID_CREDENTIALS, RATE_LIMITED, MFA_ALREADY_ENABLED. */
  async enroll({ user, attempt }: AuthenticatedUser, password: string): Promise<Enrollment> {
    await this.credentials.provePassword(user, password, attempt);
    const secret = await this.mfa.enroll(user);
    return { secret, uri: totpUri(secret, this.config.ACCOUNT_MFA_ISSUER, user.email) };
  }

  /** Ends the other sessions. Throws AUTH_INVALID_CREDENTIALS, STATE_CONFLICT. */
  confirm({ user, session, actor }: AuthenticatedUser, code: string): Promise<RecoveryCodes> {
    return this.unitOfWork.run(actor, user, async ({ transaction, audit, notify }) => {
      const recoveryCodes = await this.mfa.confirm(transaction, user, code, session.id);
      await audit('user.mfa_enabled', { mfaEnabled: false }, { mfaEnabled: true });
      await notify('mfa-enabled');
      return { recoveryCodes };
    });
  }

  /** Throws AUTH_INVALID_CREDENTIALS, RATE_LIMITED, MFA_NOT_ENABLED. */
  async renewRecoveryCodes({ user, actor, attempt }: AuthenticatedUser, code: string): Promise<RecoveryCodes> {
    await this.credentials.proveCode(user, code, attempt);
    return this.unitOfWork.run(actor, user, async ({ transaction, audit, notify }) => {
      const recoveryCodes = await this.mfa.replaceRecoveryCodes(transaction, user);
      await audit('user.recovery_codes_renewed');
      await notify('recovery-codes-renewed');
      return { recoveryCodes };
    });
  }

  /** Throws AUTH_INVALID_CREDENTIALS, RATE_LIMITED, MFA_NOT_ENABLED. */
  async remove({ user, actor, attempt }: AuthenticatedUser, code: string): Promise<void> {
    await this.credentials.proveCode(user, code, attempt);
    await this.unitOfWork.run(actor, user, async ({ transaction, audit, notify }) => {
      await this.mfa.disable(transaction, user);
      await audit('user.mfa_disabled', { mfaEnabled: true }, { mfaEnabled: false });
      await notify('mfa-disabled');
    });
  }
}
