import { Inject, Injectable } from '@nestjs/common';
import { recordWrite } from '@heliograph/tenancy';
import { newId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { Relay } from '@heliograph/messaging';
import { CONFIG, Periodic } from '@heliograph/service-kit';
import { requestMail } from '@heliograph/system-mail';
import {
  MembersService,
  UsersService,
  type Discarded,
  type Origin,
  type StartedVerification,
  type User,
} from '@heliograph/users';
import { DataSource, type EntityManager } from 'typeorm';
import type { AccountApiConfig } from '../../account-api.config';
import { emailVerificationMail } from '../mails/email-verification-mail';
import { emailVerificationLink } from '../mails/links';
import { UnverifiedAccounts } from '../unverified-accounts/unverified-accounts.service';

const SEND_DUE_EVERY_MS = 5_000;

/** Verifies the email addresses of registered users. */
@Injectable()
export class EmailVerificationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
    private readonly members: MembersService,
    private readonly accounts: UnverifiedAccounts,
    private readonly relay: Relay,
    @Inject(CONFIG) private readonly config: AccountApiConfig,
  ) {}

  /** Sends a link, at most once per minute. */
  async send(transaction: EntityManager, user: User, requestId: string): Promise<void> {
    const started = await this.users.startVerification(transaction, user.id);
    if (started) await this.mail(transaction, user, started, requestId);
  }

  /** Sends the link of a registration that replaces that of another user, when a minute has passed since the last email. */
  async sendAgain(transaction: EntityManager, user: User, replaced: Discarded, requestId: string): Promise<void> {
    const started = await this.users.continueVerification(transaction, user.id, replaced);
    await this.mail(transaction, user, started, requestId);
  }

  /** Sends the links that were held back because another email was sent to the address within a minute. */
  @Periodic({ everyMs: SEND_DUE_EVERY_MS, role: 'worker' })
  async sendDue(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.dataSource.transaction((transaction) => this.sendNextDue(transaction)))) {
      this.relay.wake();
    }
  }

  private async sendNextDue(transaction: EntityManager): Promise<boolean> {
    const due = await this.users.nextDueVerification(transaction);
    if (due) await this.mail(transaction, due.user, due, null);
    return due !== null;
  }

  private async mail(
    transaction: EntityManager,
    user: User,
    { token, expiresAt }: StartedVerification,
    requestId: string | null,
  ): Promise<void> {
    if (token === null) return;
    const link = emailVerificationLink(this.config, token);
    await requestMail(transaction, {
      purpose: 'email-verification',
      to: [user.email],
      mail: emailVerificationMail({ link, registeredAt: user.createdAt, expiresAt }),
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

  /**
   * Ends all sessions of the user except the given one, and removes what was created before. Throws NOT_FOUND for a token
   * that is unknown, used or expired.
   */
  async verify(token: string, sessionId: string | null, from: Origin, requestId: string): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      const proof = await this.users.finishVerification(transaction, token, sessionId);
      if (!proof) {
        throw new AppError(
          'NOT_FOUND',
          'The link is no longer valid. POST /api/v1/auth/verify-email with {"email"} sends a new link.',
        );
      }
      await this.accounts.takeOver(transaction, proof, requestId);
      const { user } = proof;
      for (const { organizationId } of await this.members.membershipsOf(user.id, transaction)) {
        await recordWrite(
          transaction,
          { kind: 'user', id: user.id, name: user.email, ...from, requestId },
          {
            organizationId,
            action: 'user.email_verified',
            target: { type: 'user', id: user.id },
            before: null,
            after: null,
          },
        );
      }
    });
    this.relay.wake();
  }
}

const PLACEHOLDER_USER: Omit<User, 'id' | 'email'> = {
  name: '',
  passwordHash: '',
  totpSecret: null,
  pendingTotpSecret: null,
  lastTotpStep: 0,
  emailVerifiedAt: null,
  createdAt: new Date(0),
};
