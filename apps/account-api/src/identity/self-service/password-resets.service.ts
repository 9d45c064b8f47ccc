import { Inject, Injectable } from '@nestjs/common';
import { newId } from '@heliograph/database';
import { Relay } from '@heliograph/messaging';
import { CredentialsService, UsersService, type Attempt } from '@heliograph/users';
import { DataSource } from 'typeorm';
import { CONFIG } from '@heliograph/service-kit';
import { requestMail } from '@heliograph/system-mail';
import type { AccountApiConfig } from '../../account-api.config';
import { passwordResetLink } from '../mails/links';
import { passwordResetMail } from '../mails/password-reset-mail';
import { UnverifiedAccounts } from '../unverified-accounts/unverified-accounts.service';
import { PersonalUnitOfWork } from './personal-unit-of-work.service';

/** Resets forgotten passwords by email. */
@Injectable()
export class PasswordResetsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
    private readonly credentials: CredentialsService,
    private readonly accounts: UnverifiedAccounts,
    private readonly unitOfWork: PersonalUnitOfWork,
    private readonly relay: Relay,
    @Inject(CONFIG) private readonly config: AccountApiConfig,
  ) {}

  /**
   * Sends a reset link. For unknown addresses, the same statements are executed and committed, so that the response
   * time does not reveal whether a user exists. Only the email is rolled back, and the unused reset expires.
   */
  async request(email: string, { from }: Attempt, requestId: string): Promise<void> {
    const user = await this.users.byEmail(email);
    await this.dataSource.transaction(async (transaction) => {
      const reset = await this.users.startReset(transaction, user?.id ?? newId());
      if (!reset) return;
      const { token, expiresAt } = reset;
      const link = passwordResetLink(this.config, token);
      const mail = passwordResetMail({ link, expiresAt, ipAddress: from.ipAddress });
      const to = user?.email ?? email;
      await transaction.query('SAVEPOINT mail');
      await requestMail(transaction, {
        purpose: 'password-reset',
        to: [to],
        mail,
        organizationId: null,
        workspaceId: null,
        correlationId: requestId,
      });
      await transaction.query(user ? 'RELEASE SAVEPOINT mail' : 'ROLLBACK TO SAVEPOINT mail');
    });
    this.relay.wake();
  }

  /**
   * Sets a new password. Does not log in, and does not change the second factor, except if the link is the first proof of the
   * address, which has the effects of its verification. Throws NOT_FOUND, VALIDATION_ERROR.
   */
  async finish(token: string, password: string, attempt: Attempt, requestId: string): Promise<void> {
    const user = await this.users.byResetToken(token);
    const passwordHash = await this.users.hashPasswordOf(user, password);
    const actor = { kind: 'user' as const, id: user.id, name: user.email, ...attempt.from, requestId };
    await this.unitOfWork.run(actor, user, async ({ transaction, audit, notify }) => {
      const proof = await this.users.finishReset(transaction, token, passwordHash);
      await this.accounts.takeOver(transaction, proof, requestId);
      await audit('user.password_reset');
      await notify('password-reset');
    });
    await this.credentials.forgive(user, attempt);
  }
}
