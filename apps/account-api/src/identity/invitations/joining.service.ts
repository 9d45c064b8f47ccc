import { Injectable } from '@nestjs/common';
import { recordWrite, type Actor } from '@heliograph/tenancy';
import {
  CredentialsService,
  InvitationsService,
  LoginService,
  MembersService,
  UsersService,
  type Login,
  type OpenedSession,
  type Proof,
  type User,
} from '@heliograph/users';
import { DataSource, type EntityManager } from 'typeorm';
import { MEMBER } from '../members/member-management.service';
import { OrganizationService } from '../organization/organization.service';
import { UnverifiedAccounts } from '../unverified-accounts/unverified-accounts.service';
import { ReceivedInvitation, type JoinRequest, type OneReceivedInvitation } from './joining.dto';

export type JoiningFrom = Pick<Login, 'from' | 'deviceToken' | 'sessionToken'> & { requestId: string };

/** Accepts an invitation and logs the member in. */
@Injectable()
export class JoiningService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly invitations: InvitationsService,
    private readonly users: UsersService,
    private readonly members: MembersService,
    private readonly credentials: CredentialsService,
    private readonly logins: LoginService,
    private readonly organizations: OrganizationService,
    private readonly accounts: UnverifiedAccounts,
  ) {}

  /** Throws NOT_FOUND. */
  async look(token: string): Promise<OneReceivedInvitation> {
    const invitation = await this.invitations.byTokenAcrossTenants(token);
    const { name } = await this.organizations.organization(invitation.organizationId);
    const hasAccount = isVerified(await this.users.byEmail(invitation.email));
    return { invitation: ReceivedInvitation.of(invitation, name, hasAccount) };
  }

  /**
   * Requires the login of an existing account, because the link alone does not authenticate the user. A registration whose
   * address is not verified is replaced, because only the link proves who controls the address. Throws NOT_FOUND, VALIDATION_ERROR and the errors of a login.
   */
  async join(token: string, body: JoinRequest, from: JoiningFrom): Promise<OpenedSession> {
    const { email } = await this.invitations.byTokenAcrossTenants(token);
    const existing = await this.users.byEmail(email);
    const isNew = !isVerified(existing);
    const proof = isNew ? await this.proofOfNewUser(email, body) : await this.proofOf(email, body, from);
    return this.dataSource.transaction(async (transaction) => {
      if (isNew && existing) await this.accounts.discard(transaction, existing, from.requestId);
      if (isNew) await this.users.insert(transaction, proof.user);
      const { organizationId } = await this.invitations.accept(transaction, token, proof.user);
      await this.note(transaction, organizationId, proof, from);
      return this.logins.open(transaction, proof, from, organizationId);
    });
  }

  private async proofOfNewUser(email: string, { name = '', password }: JoinRequest): Promise<Proof> {
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
    await recordWrite(transaction, actor, MEMBER.entryOf('joined', null, member));
  }
}

function isVerified(user: User | null): user is User {
  return user !== null && user.emailVerifiedAt !== null;
}
