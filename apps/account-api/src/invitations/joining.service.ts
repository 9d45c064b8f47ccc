import { Inject, Injectable } from '@nestjs/common';
import { recordWrite, type Actor } from '@heliograph/audit';
import {
  CredentialsService,
  InvitationsService,
  LoginService,
  MembersService,
  UsersService,
  type Login,
  type OpenedSession,
  type Proof,
} from '@heliograph/users';
import { DataSource, type EntityManager } from 'typeorm';
import { MemberRecord } from '../members/members.dto';
import { OrganizationService } from '../organization/organization.service';
import { ReceivedInvitation, type JoinRequest } from './joining.dto';

export type JoiningFrom = Pick<Login, 'from' | 'deviceToken' | 'sessionToken'> & { requestId: string };

/** From the link of an invitation to a member who is logged in. */
@Injectable()
export class JoiningService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(InvitationsService) private readonly invitations: InvitationsService,
    @Inject(UsersService) private readonly users: UsersService,
    @Inject(MembersService) private readonly members: MembersService,
    @Inject(CredentialsService) private readonly credentials: CredentialsService,
    @Inject(LoginService) private readonly logins: LoginService,
    @Inject(OrganizationService) private readonly organizations: OrganizationService,
  ) {}

  /** Throws NOT_FOUND. */
  async look(token: string): Promise<ReceivedInvitation> {
    const invitation = await this.invitations.byTokenAcrossTenants(token);
    const { name } = await this.organizations.one(invitation.organizationId);
    return ReceivedInvitation.of(invitation, name, (await this.users.byEmail(invitation.email)) !== null);
  }

  /**
   * Throws NOT_FOUND, VALIDATION_ERROR, and what a login throws: whoever merely holds the link is not yet the user.
   */
  async join(token: string, asked: JoinRequest, from: JoiningFrom): Promise<OpenedSession> {
    const { email } = await this.invitations.byTokenAcrossTenants(token);
    const isNew = (await this.users.byEmail(email)) === null;
    const proof = isNew ? await this.newcomer(email, asked) : await this.proofOf(email, asked, from);
    return this.dataSource.transaction(async (transaction) => {
      if (isNew) await this.users.insert(transaction, proof.user);
      const { organizationId } = await this.invitations.accept(transaction, token, proof.user);
      await this.note(transaction, organizationId, proof, from);
      return this.logins.open(transaction, proof, from, organizationId);
    });
  }

  private async newcomer(email: string, { name = '', password }: JoinRequest): Promise<Proof> {
    return { user: await this.users.prepare({ email, name, password }), isKnownDevice: false };
  }

  private proofOf(email: string, { password, code }: JoinRequest, from: JoiningFrom): Promise<Proof> {
    return this.credentials.prove({ email, password, code }, from);
  }

  private async note(
    transaction: EntityManager,
    organizationId: string,
    { user }: Proof,
    { from, requestId }: JoiningFrom,
  ): Promise<void> {
    const actor: Actor = { kind: 'user', id: user.id, name: user.email, ...from, requestId };
    const member = await this.members.memberOf(organizationId, user.id, transaction);
    await recordWrite(transaction, actor, {
      organizationId,
      action: 'member.joined',
      target: { type: 'member', id: user.id },
      before: null,
      after: MemberRecord.of(member),
    });
  }
}
