import { Controller, Delete, Get, Inject, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { InOrganization } from '../access/access.decorators';
import { ByCaller, type Caller } from '../access/caller';
import { Answers, CALLER_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBodyOnce } from '../http/json-body';
import { nextCursor, PageQuery, pageOf, QueryOf } from '../http/query';
import { ToWrite, type WriteCall } from '../writes/writes.service';
import { InvitationManagementService } from './invitation-management.service';
import { InvitationList, InvitationRecord, InviteRequest, OneInvitation } from './invitations.dto';

@ApiTags('Members')
@RefusesWith(...CALLER_REFUSALS)
@Controller('api/organization/invitations')
export class InvitationsController {
  constructor(@Inject(InvitationManagementService) private readonly invitations: InvitationManagementService) {}

  @Get()
  @InOrganization('members:read')
  @ApiOperation({ operationId: 'listInvitations', summary: 'The invitations, newest first' })
  @Answers(InvitationList)
  @RefusesWith('VALIDATION_ERROR', 'INVALID_REQUEST')
  async list(@ByCaller() caller: Caller, @QueryOf(PageQuery) query: PageQuery): Promise<InvitationList> {
    const { items, next } = await this.invitations.list(caller, pageOf(query));
    return { invitations: items.map((invitation) => InvitationRecord.of(invitation)), ...nextCursor(next) };
  }

  @Get(':id')
  @InOrganization('members:read')
  @ApiOperation({ operationId: 'getInvitation', summary: 'One invitation' })
  @Answers(OneInvitation)
  @RefusesWith('NOT_FOUND')
  async one(@ByCaller() caller: Caller, @Param('id') id: string): Promise<OneInvitation> {
    return { invitation: InvitationRecord.of(await this.invitations.one(caller, id)) };
  }

  @Post()
  @InOrganization('members:write')
  @ApiOperation({ operationId: 'invite', summary: 'Invites somebody by mail; owners are invited by owners' })
  @TakesBodyOnce(InviteRequest)
  @Answers(OneInvitation, 201)
  @RefusesWith('ALREADY_MEMBER')
  async invite(
    @ByCaller() caller: Caller,
    @JsonBody(InviteRequest) asked: InviteRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneInvitation> {
    return { invitation: await this.invitations.invite(call, caller, asked) };
  }

  @Post(':id/resend')
  @InOrganization('members:write')
  @ApiOperation({ operationId: 'resendInvitation', summary: 'Mails a new link; the one before stops working' })
  @Answers(OneInvitation)
  @RefusesWith('INVALID_REQUEST', 'NOT_FOUND', 'STATE_CONFLICT', 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS')
  async resend(
    @ByCaller() caller: Caller,
    @Param('id') id: string,
    @ToWrite() call: WriteCall,
  ): Promise<OneInvitation> {
    return { invitation: await this.invitations.resend(call, caller, id) };
  }

  @Delete(':id')
  @InOrganization('members:write', { evenWhenLocked: true })
  @ApiOperation({ operationId: 'revokeInvitation', summary: 'Takes an invitation back: its link stops working' })
  @Answers(OneInvitation)
  @RefusesWith('NOT_FOUND', 'STATE_CONFLICT')
  async revoke(
    @ByCaller() caller: Caller,
    @Param('id') id: string,
    @ToWrite() call: WriteCall,
  ): Promise<OneInvitation> {
    return { invitation: await this.invitations.revoke(call, caller, id) };
  }
}
