import { Inject, Injectable } from '@nestjs/common';
import { newId } from '@heliograph/database';
import { Relay } from '@heliograph/messaging';
import { CredentialsService, hashNewPassword, UsersService, type Attempt } from '@heliograph/users';
import { DataSource } from 'typeorm';
import { ACCOUNT_API_SETTINGS, type AccountApiSettings } from '../account-api.config';
import { passwordResetLink } from '../mails/links';
import { passwordResetMail } from '../mails/password-reset-mail';
import { requestMail } from '../mails/request-mail';
import { PersonalWrites } from './personal-writes.service';

/** The way back for whoever has forgotten the password, and still gets the mail of the address. */
@Injectable()
export class PasswordResetsService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(UsersService) private readonly users: UsersService,
    @Inject(CredentialsService) private readonly credentials: CredentialsService,
    @Inject(PersonalWrites) private readonly writes: PersonalWrites,
    @Inject(Relay) private readonly relay: Relay,
    @Inject(ACCOUNT_API_SETTINGS) private readonly settings: AccountApiSettings,
  ) {}

  /**
   * An address that nobody has costs the same statements and the same commit, so that the time does not tell; only
   * the mail is taken back. The reset that it leaves opens nothing and goes when it expires.
   */
  async ask(email: string, { from }: Attempt, requestId: string): Promise<void> {
    const user = await this.users.byEmail(email.trim());
    await this.dataSource.transaction(async (transaction) => {
      const reset = await this.users.startReset(transaction, user?.id ?? newId());
      if (!reset) return;
      const { token, expiresAt } = reset;
      const link = passwordResetLink(this.settings, token);
      const mail = passwordResetMail({ link, expiresAt, ipAddress: from.ipAddress });
      const to = user?.email ?? email;
      await transaction.query('SAVEPOINT mail');
      await requestMail(transaction, { purpose: 'password-reset', to, mail, organizationId: null, requestId });
      await transaction.query(user ? 'RELEASE SAVEPOINT mail' : 'ROLLBACK TO SAVEPOINT mail');
    });
    this.relay.wake();
  }

  /** Neither logs in nor touches the second factor. Throws NOT_FOUND, VALIDATION_ERROR. */
  async finish(token: string, password: string, attempt: Attempt, requestId: string): Promise<void> {
    const user = await this.users.byResetToken(token);
    const passwordHash = await hashNewPassword(password, user.email);
    const actor = { kind: 'user' as const, id: user.id, name: user.email, ...attempt.from, requestId };
    await this.writes.run(actor, user, async ({ transaction, record, tell }) => {
      await this.users.finishReset(transaction, token, passwordHash);
      await record('user.password_reset');
      await tell('password-reset');
    });
    await this.credentials.forgive(user, attempt);
  }
}
