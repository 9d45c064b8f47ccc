import { Inject, Injectable } from '@nestjs/common';
import type { Role } from '@heliograph/contracts';
import type { Page, PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { Organization } from '@heliograph/tenancy';
import { InvitationsService, type Invitation } from '@heliograph/users';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../access/caller';
import { canGrantRole } from '../access/permissions';
import { ACCOUNT_API_CONFIG, type AccountApiConfig } from '../account-api.config';
import { invitationMail } from '../mails/invitation-mail';
import { invitationLink } from '../mails/links';
import { requestMail } from '../mails/request-mail';
import { OrganizationService } from '../organization/organization.service';
import { UnitOfWork, type UnitOfWorkContext, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import { InvitationRecord, type InviteRequest } from './invitations.dto';

/** Manages the invitations of an organization. The token is sent only by email, so its holder controls the address. */
@Injectable()
export class InvitationManagementService {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly organizations: OrganizationService,
    private readonly unitOfWork: UnitOfWork,
    @Inject(ACCOUNT_API_CONFIG) private readonly config: AccountApiConfig,
  ) {}

  list({ organizationId }: Caller, page: Page): Promise<PageOf<Invitation>> {
    return this.invitations.list(organizationId, page);
  }

  get({ organizationId }: Caller, id: string): Promise<Invitation> {
    return this.invitations.invitationOf(organizationId, id);
  }

  async invite(write: WriteRequest, caller: Caller, { email, role }: InviteRequest): Promise<InvitationRecord> {
    refuseAbove(caller, role);
    const { organizationId, actor } = caller;
    const organization = await this.organizations.get(organizationId);
    return this.unitOfWork.run(write, async (work) => {
      const details = { email, role, invitedBy: actor.name };
      const { invitation, token } = await this.invitations.invite(work.transaction, organizationId, details);
      await this.mail(work.transaction, organization, invitation, token, actor.requestId);
      return auditChange(work, 'invitation.created', null, invitation);
    });
  }

  /** Sends a new link; the previous one becomes invalid. */
  async resend(write: WriteRequest, caller: Caller, id: string): Promise<InvitationRecord> {
    const { organizationId, actor } = caller;
    const organization = await this.organizations.get(organizationId);
    return this.unitOfWork.run(write, async (work) => {
      const { before, after, token } = await this.invitations.renew(work.transaction, organizationId, id);
      refuseAbove(caller, after.role);
      await this.mail(work.transaction, organization, after, token, actor.requestId);
      return auditChange(work, 'invitation.resent', before, after);
    });
  }

  revoke(write: WriteRequest, { organizationId }: Caller, id: string): Promise<InvitationRecord> {
    return this.unitOfWork.run(write, async (work) => {
      const { before, after } = await this.invitations.revoke(work.transaction, organizationId, id);
      return auditChange(work, 'invitation.revoked', before, after);
    });
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
    await requestMail(transaction, { purpose: 'invitation', to: email, mail, organizationId, requestId });
  }
}

async function auditChange(
  { audit }: UnitOfWorkContext,
  action: string,
  before: Invitation | null,
  after: Invitation,
): Promise<InvitationRecord> {
  const created = InvitationRecord.of(after);
  await audit({
    organizationId: after.organizationId,
    action,
    target: { type: 'invitation', id: after.id },
    before: before && InvitationRecord.of(before),
    after: created,
  });
  return created;
}

/** Throws FORBIDDEN. */
function refuseAbove({ role }: Caller, requestedRole: Role): void {
  if (canGrantRole(role, requestedRole)) return;
  throw new AppError(
    'FORBIDDEN',
    `The role ${role} may not invite a member with the role ${requestedRole}. Ask an owner.`,
  );
}
