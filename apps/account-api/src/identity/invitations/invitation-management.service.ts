import { Inject, Injectable } from '@nestjs/common';
import type { Role } from '@heliograph/contracts';
import { AppError } from '@heliograph/errors';
import { type Organization, AuditedKind, targetOf, UnitOfWork, type Write } from '@heliograph/tenancy';
import { InvitationsService, type Invitation } from '@heliograph/users';
import type { EntityManager } from 'typeorm';
import { CONFIG, pageOf } from '@heliograph/service-kit';
import { requestMail } from '@heliograph/system-mail';
import type { Caller } from '../../access/caller';
import { canGrantRole } from '../../access/permissions';
import type { AccountApiConfig } from '../../account-api.config';
import type { PageQuery } from '../../http/page.query';
import { invitationMail } from '../mails/invitation-mail';
import { invitationLink } from '../mails/links';
import { OrganizationService } from '../organization/organization.service';
import { LIMITED } from '../../unit-of-work/limited-kinds';
import { InvitationList, InvitationRecord, OneInvitation, type InviteRequest } from './invitations.dto';

const INVITATION = {
  kind: new AuditedKind<Invitation>('invitation', targetOf, InvitationRecord.of),
  answer: OneInvitation.of,
};

/** Manages the invitations of an organization. The token is only sent by email, which proves that its holder controls the address. */
@Injectable()
export class InvitationManagementService {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly organizations: OrganizationService,
    private readonly unitOfWork: UnitOfWork,
    @Inject(CONFIG) private readonly config: AccountApiConfig,
  ) {}

  async list({ organizationId }: Caller, query: PageQuery): Promise<InvitationList> {
    return InvitationList.of(await this.invitations.list(organizationId, pageOf(query)));
  }

  async get({ organizationId }: Caller, id: string): Promise<OneInvitation> {
    return OneInvitation.of(await this.invitations.invitationOf(organizationId, id));
  }

  invite(write: Write, caller: Caller, { email, role }: InviteRequest): Promise<OneInvitation> {
    return this.unitOfWork.once(write, async () => {
      refuseAbove(caller, role);
      const { organizationId, actor } = caller;
      const organization = await this.organizations.organization(organizationId);
      const creates = { organizationId, kind: LIMITED.members };
      return this.unitOfWork.change(write, { ...INVITATION, done: 'created', creates }, async (transaction) => {
        const details = { email, role, invitedBy: actor.name };
        const { invitation: after, token } = await this.invitations.invite(transaction, organizationId, details);
        await this.mail(transaction, organization, after, token, actor.requestId);
        return { after };
      });
    });
  }

  /** Sends a new link. The previous link becomes invalid. */
  resend(write: Write, caller: Caller, id: string): Promise<OneInvitation> {
    return this.unitOfWork.once(write, async () => {
      const { organizationId, actor } = caller;
      const organization = await this.organizations.organization(organizationId);
      return this.unitOfWork.change(write, { ...INVITATION, done: 'resent' }, async (transaction) => {
        const { before, after, token } = await this.invitations.renew(transaction, organizationId, id);
        refuseAbove(caller, after.role);
        await this.mail(transaction, organization, after, token, actor.requestId);
        return { before, after };
      });
    });
  }

  revoke(write: Write, { organizationId }: Caller, id: string): Promise<OneInvitation> {
    return this.unitOfWork.change(write, { ...INVITATION, done: 'revoked' }, (transaction) =>
      this.invitations.revoke(transaction, organizationId, id),
    );
  }

  private async mail(
    transaction: EntityManager,
    { id: organizationId, name: organizationName }: Organization,
    { email, role, invitedBy, expiresAt }: Invitation,
    token: string,
    requestId: string | null,
  ): Promise<void> {
    const link = invitationLink(this.config, token);
    const mail = invitationMail({ organizationName, invitedBy, role, link, expiresAt });
    await requestMail(transaction, {
      purpose: 'invitation',
      to: [email],
      mail,
      organizationId,
      workspaceId: null,
      correlationId: requestId,
    });
  }
}

/** Throws FORBIDDEN. */
function refuseAbove({ role }: Caller, requestedRole: Role): void {
  if (canGrantRole(role, requestedRole)) return;
  throw new AppError(
    'FORBIDDEN',
    `The role ${role} may not invite a member with the role ${requestedRole}. Ask an owner.`,
  );
}
