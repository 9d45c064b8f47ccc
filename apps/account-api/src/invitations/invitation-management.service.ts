import { Inject, Injectable } from '@nestjs/common';
import type { Role } from '@heliograph/contracts';
import type { Page, PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { Organization } from '@heliograph/tenancy';
import { InvitationsService, type Invitation } from '@heliograph/users';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../access/caller';
import { mayGrant } from '../access/permissions';
import { ACCOUNT_API_SETTINGS, type AccountApiSettings } from '../account-api.config';
import { invitationMail } from '../mails/invitation-mail';
import { invitationLink } from '../mails/links';
import { requestMail } from '../mails/request-mail';
import { OrganizationService } from '../organization/organization.service';
import { Writes, type OpenWrite, type WriteCall } from '../writes/writes.service';
import { InvitationRecord, type InviteRequest } from './invitations.dto';

/** An organization's invitations. The token is in the mail and nowhere else: whoever has it has the address. */
@Injectable()
export class InvitationManagementService {
  constructor(
    @Inject(InvitationsService) private readonly invitations: InvitationsService,
    @Inject(OrganizationService) private readonly organizations: OrganizationService,
    @Inject(Writes) private readonly writes: Writes,
    @Inject(ACCOUNT_API_SETTINGS) private readonly settings: AccountApiSettings,
  ) {}

  list({ organizationId }: Caller, page: Page): Promise<PageOf<Invitation>> {
    return this.invitations.list(organizationId, page);
  }

  one({ organizationId }: Caller, id: string): Promise<Invitation> {
    return this.invitations.invitationOf(organizationId, id);
  }

  async invite(call: WriteCall, caller: Caller, { email, role }: InviteRequest): Promise<InvitationRecord> {
    refuseAbove(caller, role);
    const { organizationId, actor } = caller;
    const organization = await this.organizations.one(organizationId);
    return this.writes.run(call, async (open) => {
      const details = { email, role, invitedBy: actor.name };
      const { invitation, token } = await this.invitations.invite(open.transaction, organizationId, details);
      await this.mail(open.transaction, organization, invitation, token, actor.requestId);
      return note(open, 'invitation.created', null, invitation);
    });
  }

  /** A new link in a new mail; the one before it stops working. */
  async resend(call: WriteCall, caller: Caller, id: string): Promise<InvitationRecord> {
    const { organizationId, actor } = caller;
    const organization = await this.organizations.one(organizationId);
    return this.writes.run(call, async (open) => {
      const { before, after, token } = await this.invitations.renew(open.transaction, organizationId, id);
      refuseAbove(caller, after.role);
      await this.mail(open.transaction, organization, after, token, actor.requestId);
      return note(open, 'invitation.resent', before, after);
    });
  }

  revoke(call: WriteCall, { organizationId }: Caller, id: string): Promise<InvitationRecord> {
    return this.writes.run(call, async (open) => {
      const { before, after } = await this.invitations.revoke(open.transaction, organizationId, id);
      return note(open, 'invitation.revoked', before, after);
    });
  }

  private async mail(
    transaction: EntityManager,
    { id: organizationId, name: organizationName }: Organization,
    { email, role, invitedBy, expiresAt }: Invitation,
    token: string,
    requestId: string | null,
  ): Promise<void> {
    const link = invitationLink(this.settings, token);
    const mail = invitationMail({ organizationName, invitedBy, role, link, expiresAt });
    await requestMail(transaction, { purpose: 'invitation', to: email, mail, organizationId, requestId });
  }
}

async function note(
  { record }: OpenWrite,
  action: string,
  before: Invitation | null,
  after: Invitation,
): Promise<InvitationRecord> {
  const made = InvitationRecord.of(after);
  await record({
    organizationId: after.organizationId,
    action,
    target: { type: 'invitation', id: after.id },
    before: before && InvitationRecord.of(before),
    after: made,
  });
  return made;
}

/** Throws FORBIDDEN. */
function refuseAbove({ role }: Caller, wanted: Role): void {
  if (mayGrant(role, wanted)) return;
  throw new AppError('FORBIDDEN', `The role ${role} may not invite an ${wanted}. Ask an owner.`);
}
