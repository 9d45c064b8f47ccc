import { Inject, Injectable } from '@nestjs/common';
import { recordWrite } from '@heliograph/audit';
import { newId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { Relay } from '@heliograph/messaging';
import { CONFIG } from '@heliograph/service-kit';
import { requestMail } from '@heliograph/system-mail';
import { MembersService, UsersService, type Origin, type User } from '@heliograph/users';
import { DataSource, type EntityManager } from 'typeorm';
import type { AccountApiConfig } from '../account-api.config';
import { emailVerificationMail } from '../mails/email-verification-mail';
import { emailVerificationLink } from '../mails/links';

/** Verifies the email addresses of registered users. */
@Injectable()
export class EmailVerificationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
    private readonly members: MembersService,
    private readonly relay: Relay,
    @Inject(CONFIG) private readonly config: AccountApiConfig,
  ) {}

  /** Sends a link, at most once per minute. */
  async send(transaction: EntityManager, user: User, requestId: string): Promise<void> {
    const started = await this.users.startVerification(transaction, user.id);
    if (!started) return;
    const link = emailVerificationLink(this.config, started.token);
    await requestMail(transaction, {
      purpose: 'email-verification',
      to: [user.email],
      mail: emailVerificationMail({ link, expiresAt: started.expiresAt }),
      organizationId: null,
      workspaceId: null,
      correlationId: requestId,
    });
  }

  /**
   * Sends a new link if the address is known and not verified. Otherwise the same statements are executed and the email
   * is rolled back, so that the response time does not reveal whether the address is known.
   */
  async request(email: string, requestId: string): Promise<void> {
    const user = await this.users.byEmail(email);
    const isWanted = user !== null && user.emailVerifiedAt === null;
    await this.dataSource.transaction(async (transaction) => {
      await transaction.query('SAVEPOINT verification');
      await this.send(transaction, isWanted ? user : { ...PLACEHOLDER_USER, id: newId(), email }, requestId);
      await transaction.query(isWanted ? 'RELEASE SAVEPOINT verification' : 'ROLLBACK TO SAVEPOINT verification');
    });
    this.relay.wake();
  }

  /** Throws NOT_FOUND for a token that is unknown, used or expired. */
  async verify(token: string, from: Origin, requestId: string): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      const user = await this.users.finishVerification(transaction, token);
      if (!user) throw new AppError('NOT_FOUND', 'The link is no longer valid. Request a new link.');
      for (const { organizationId } of await this.members.membershipsOf(user.id, transaction)) {
        await recordWrite(
          transaction,
          { kind: 'user', id: user.id, name: user.email, ...from, requestId },
          {
            ...{ organizationId, action: 'user.email_verified', target: { type: 'user', id: user.id } },
            ...{ before: null, after: null },
          },
        );
      }
    });
  }
}

const PLACEHOLDER_USER: Omit<User, 'id' | 'email'> = {
  ...{ name: '', passwordHash: '', totpSecret: null, pendingTotpSecret: null, lastTotpStep: 0 },
  ...{ emailVerifiedAt: null, createdAt: new Date(0) },
};
