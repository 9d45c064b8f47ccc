import { Injectable } from '@nestjs/common';
import { recordWrite, type Actor } from '@heliograph/tenancy';
import { Relay } from '@heliograph/messaging';
import { requestMail } from '@heliograph/system-mail';
import { MembersService, type User } from '@heliograph/users';
import { DataSource, type EntityManager } from 'typeorm';
import { securityNotice, type SecurityChange } from '../mails/security-notice';

/** The transaction of a change to a user's own account, with its audit log and notifications. */
export interface PersonalUnitOfWorkContext {
  transaction: EntityManager;
  /** Adds an entry to the audit log of every organization that the user belongs to. */
  audit(action: string, before?: object, after?: object): Promise<void>;
  /** Notifies the user by email, so that the user notices an unauthorized change. */
  notify(change: SecurityChange): Promise<void>;
}

/**
 * Runs changes to a user's own account. Responses are empty or contain secrets, so they are not stored for repeated
 * requests.
 */
@Injectable()
export class PersonalUnitOfWork {
  constructor(
    private readonly dataSource: DataSource,
    private readonly members: MembersService,
    private readonly relay: Relay,
  ) {}

  async run<T>(actor: Actor, user: User, write: (work: PersonalUnitOfWorkContext) => Promise<T>): Promise<T> {
    const memberships = await this.members.membershipsOf(user.id);
    const response = await this.dataSource.transaction((transaction) =>
      write({
        transaction,
        audit: async (action, before, after) => {
          const target = { type: 'user', id: user.id };
          for (const { organizationId } of memberships) {
            const created = { organizationId, action, target, before: before ?? null, after: after ?? null };
            await recordWrite(transaction, actor, created);
          }
        },
        notify: (change) =>
          requestMail(transaction, {
            purpose: 'security-notice',
            to: [user.email],
            mail: securityNotice(change, {
              at: new Date(),
              ipAddress: actor.ipAddress,
              // Anyone may have registered an address that is not verified: its owner must not receive their text.
              userAgent: user.emailVerifiedAt === null ? null : actor.userAgent,
            }),
            organizationId: null,
            workspaceId: null,
            correlationId: actor.requestId,
          }),
      }),
    );
    this.relay.wake();
    return response;
  }
}
