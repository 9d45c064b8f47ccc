import { Inject, Injectable } from '@nestjs/common';
import { CredentialsService, MfaService, totpUri, type User } from '@heliograph/users';
import { ACCOUNT_API_SETTINGS, type AccountApiSettings } from '../account-api.config';
import type { Oneself } from './oneself';
import { PersonalWrites } from './personal-writes.service';
import type { Enrollment, SecondFactor } from './second-factor.dto';

/** A person's own second factor. A session alone changes nothing of it: it takes the password or a code besides. */
@Injectable()
export class SecondFactorService {
  constructor(
    @Inject(MfaService) private readonly mfa: MfaService,
    @Inject(CredentialsService) private readonly credentials: CredentialsService,
    @Inject(PersonalWrites) private readonly writes: PersonalWrites,
    @Inject(ACCOUNT_API_SETTINGS) private readonly settings: AccountApiSettings,
  ) {}

  async look(user: User): Promise<SecondFactor> {
    return { enabled: user.totpSecret !== null, recoveryCodesLeft: await this.mfa.recoveryCodesLeft(user) };
  }

  /** Throws AUTH_INVALID_CREDENTIALS, RATE_LIMITED, MFA_ALREADY_ENABLED. */
  async enroll({ user, attempt }: Oneself, password: string): Promise<Enrollment> {
    await this.credentials.provePassword(user, password, attempt);
    const secret = await this.mfa.enroll(user);
    return { secret, uri: totpUri(secret, this.settings.ACCOUNT_MFA_ISSUER, user.email) };
  }

  /** Throws AUTH_INVALID_CREDENTIALS, STATE_CONFLICT. */
  confirm({ user, actor }: Oneself, code: string): Promise<string[]> {
    return this.writes.run(actor, user, async ({ transaction, record, tell }) => {
      const recoveryCodes = await this.mfa.confirm(transaction, user, code);
      await record('user.mfa_enabled', { mfaEnabled: false }, { mfaEnabled: true });
      await tell('mfa-enabled');
      return recoveryCodes;
    });
  }

  /** Throws AUTH_INVALID_CREDENTIALS, RATE_LIMITED, MFA_NOT_ENABLED. */
  async renewRecoveryCodes({ user, actor, attempt }: Oneself, code: string): Promise<string[]> {
    await this.credentials.proveCode(user, code, attempt);
    return this.writes.run(actor, user, async ({ transaction, record, tell }) => {
      const recoveryCodes = await this.mfa.replaceRecoveryCodes(transaction, user);
      await record('user.recovery_codes_renewed');
      await tell('recovery-codes-renewed');
      return recoveryCodes;
    });
  }

  /** Throws AUTH_INVALID_CREDENTIALS, RATE_LIMITED, MFA_NOT_ENABLED. */
  async remove({ user, actor, attempt }: Oneself, code: string): Promise<void> {
    await this.credentials.proveCode(user, code, attempt);
    await this.writes.run(actor, user, async ({ transaction, record, tell }) => {
      await this.mfa.disable(transaction, user);
      await record('user.mfa_disabled', { mfaEnabled: true }, { mfaEnabled: false });
      await tell('mfa-disabled');
    });
  }
}
