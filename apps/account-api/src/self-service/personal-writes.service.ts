import { Inject, Injectable } from '@nestjs/common';
import { recordWrite, type Actor } from '@heliograph/audit';
import { Relay } from '@heliograph/messaging';
import { MembersService, type User } from '@heliograph/users';
import { DataSource, type EntityManager } from 'typeorm';
import { requestMail } from '../mails/request-mail';
import { securityNotice, type SecurityChange } from '../mails/security-notice';

/** What a write may use while its transaction is open. */
export interface OpenPersonalWrite {
  transaction: EntityManager;
  /** Notes it in the audit log of every organization that the person belongs to: each has a stake in it. */
  record(action: string, before?: object, after?: object): Promise<void>;
  /** Tells the person by mail, who may not have been the one that did it. */
  tell(change: SecurityChange): Promise<void>;
}

/** Writes of what is a person's own. Their answers hold secrets or nothing, so none is kept for a repeat. */
@Injectable()
export class PersonalWrites {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(MembersService) private readonly members: MembersService,
    @Inject(Relay) private readonly relay: Relay,
  ) {}

  async run<T>(actor: Actor, user: User, write: (open: OpenPersonalWrite) => Promise<T>): Promise<T> {
    const memberships = await this.members.membershipsOf(user.id);
    const answer = await this.dataSource.transaction((transaction) =>
      write({
        transaction,
        record: async (action, before, after) => {
          const target = { type: 'user', id: user.id };
          for (const { organizationId } of memberships) {
            const made = { organizationId, action, target, before: before ?? null, after: after ?? null };
            await recordWrite(transaction, actor, made);
          }
        },
        tell: (change) =>
          requestMail(transaction, {
            purpose: 'security-notice',
            to: user.email,
            mail: securityNotice(change, { at: new Date(), ...actor }),
            organizationId: null,
            requestId: actor.requestId,
          }),
      }),
    );
    this.relay.wake();
    return answer;
  }
}
