import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../access/access.decorators';
import { CurrentCaller, type Caller } from '../access/caller';
import { ApiData, CALLER_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiIdempotentBody } from '../http/json-body';
import { nextCursor, PageQuery, pageOf, ValidatedQuery } from '../http/query';
import { CurrentWriteRequest, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import { InvitationManagementService } from './invitation-management.service';
import { InvitationList, InvitationRecord, InviteRequest, OneInvitation } from './invitations.dto';

@ApiTags('Members')
@ApiErrors(...CALLER_ERRORS)
@Controller('api/organization/invitations')
export class InvitationsController {
  constructor(private readonly invitations: InvitationManagementService) {}

  @Get()
  @RequirePermission('members:read')
  @ApiOperation({ operationId: 'listInvitations', summary: 'List invitations, newest first' })
  @ApiData(InvitationList)
  @ApiErrors('VALIDATION_ERROR', 'INVALID_REQUEST')
  async list(@CurrentCaller() caller: Caller, @ValidatedQuery(PageQuery) query: PageQuery): Promise<InvitationList> {
    const { items, next } = await this.invitations.list(caller, pageOf(query));
    return { invitations: items.map((invitation) => InvitationRecord.of(invitation)), ...nextCursor(next) };
  }

  @Get(':id')
  @RequirePermission('members:read')
  @ApiOperation({ operationId: 'getInvitation', summary: 'Get an invitation' })
  @ApiData(OneInvitation)
  @ApiErrors('NOT_FOUND')
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<OneInvitation> {
    return { invitation: InvitationRecord.of(await this.invitations.get(caller, id)) };
  }

  @Post()
  @RequirePermission('members:write')
  @ApiOperation({ operationId: 'invite', summary: 'Invite a person by email; only owners can invite owners' })
  @ApiIdempotentBody(InviteRequest)
  @ApiData(OneInvitation, 201)
  @ApiErrors('ALREADY_MEMBER')
  async invite(
    @CurrentCaller() caller: Caller,
    @JsonBody(InviteRequest) body: InviteRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneInvitation> {
    return { invitation: await this.invitations.invite(write, caller, body) };
  }

  @Post(':id/resend')
  @RequirePermission('members:write')
  @ApiOperation({
    operationId: 'resendInvitation',
    summary: 'Send a new invitation link; the previous one becomes invalid',
  })
  @ApiData(OneInvitation)
  @ApiErrors('INVALID_REQUEST', 'NOT_FOUND', 'STATE_CONFLICT', 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS')
  async resend(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneInvitation> {
    return { invitation: await this.invitations.resend(write, caller, id) };
  }

  @Delete(':id')
  @RequirePermission('members:write', { evenWhenLocked: true })
  @ApiOperation({ operationId: 'revokeInvitation', summary: 'Revoke an invitation; its link becomes invalid' })
  @ApiData(OneInvitation)
  @ApiErrors('NOT_FOUND', 'STATE_CONFLICT')
  async revoke(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneInvitation> {
    return { invitation: await this.invitations.revoke(write, caller, id) };
  }
}
