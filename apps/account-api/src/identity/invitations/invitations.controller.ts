import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequirePermission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { AccountOperation, IdempotentWrite } from '../../http/envelope';
import { PageQuery } from '../../http/page.query';
import { CurrentWrite } from '../../unit-of-work/current-write';
import { InvitationManagementService } from './invitation-management.service';
import { InvitationList, InviteRequest, OneInvitation } from './invitations.dto';

@ApiTags('Members')
@Controller('api/organization/invitations')
export class InvitationsController {
  constructor(private readonly invitations: InvitationManagementService) {}

  @Get()
  @RequirePermission('members:read')
  @AccountOperation({
    id: 'listInvitations',
    summary: 'List invitations, newest first',
    description: 'Contains open, accepted, expired and revoked invitations.',
    response: InvitationList,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<InvitationList> {
    return this.invitations.list(caller, query);
  }

  @Get(':id')
  @RequirePermission('members:read')
  @AccountOperation({
    id: 'getInvitation',
    summary: 'Get an invitation',

    description: 'Returns an invitation with its status, without its token.',
    response: OneInvitation,
    errors: ['NOT_FOUND'],
  })
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<OneInvitation> {
    return this.invitations.get(caller, id);
  }

  @Post()
  @RequirePermission('members:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'invite',
    summary: 'Invite a person by email',
    description: 'Only owners can invite owners.',
    status: 201,
    response: OneInvitation,
    errors: ['ALREADY_MEMBER', 'LIMIT_REACHED'],
  })
  invite(
    @CurrentCaller() caller: Caller,
    @Body() body: InviteRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneInvitation> {
    return this.invitations.invite(write, caller, body);
  }

  @Post(':id/resend')
  @RequirePermission('members:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'resendInvitation',
    summary: 'Send a new invitation link and invalidate the previous link',

    description: 'Sends a mail with a new link, which is valid as long as that of a new invitation.',
    response: OneInvitation,
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  })
  resend(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @CurrentWrite() write: Write,
  ): Promise<OneInvitation> {
    return this.invitations.resend(write, caller, id);
  }

  @Delete(':id')
  @RequirePermission('members:write', { evenWhenLocked: true })
  @IdempotentWrite()
  @AccountOperation({
    id: 'revokeInvitation',
    summary: 'Revoke an invitation and invalidate its link',

    description:
      'The person cannot accept it any more. An accepted invitation cannot be revoked: remove the member instead.',
    response: OneInvitation,
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
    sample: { values: { id: { get: '/api/organization/invitations', match: '"status":"open"' } } },
  })
  revoke(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @CurrentWrite() write: Write,
  ): Promise<OneInvitation> {
    return this.invitations.revoke(write, caller, id);
  }
}
