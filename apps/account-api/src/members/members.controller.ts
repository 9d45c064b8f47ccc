import { Controller, Delete, Get, Inject, Param, Patch } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { InOrganization } from '../access/access.decorators';
import { ByCaller, type Caller } from '../access/caller';
import { Answers, AnswersNothing, CALLER_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBodyOnce } from '../http/json-body';
import { nextCursor, PageQuery, pageOf, QueryOf } from '../http/query';
import { ToWrite, type WriteCall } from '../writes/writes.service';
import { MemberManagementService } from './member-management.service';
import { ChangeMemberRequest, MemberList, MemberRecord, OneMember } from './members.dto';

@ApiTags('Members')
@RefusesWith(...CALLER_REFUSALS)
@Controller('api/organization/members')
export class MembersController {
  constructor(@Inject(MemberManagementService) private readonly members: MemberManagementService) {}

  @Get()
  @InOrganization('members:read')
  @ApiOperation({ operationId: 'listMembers', summary: 'Who belongs to the organization, and as what' })
  @Answers(MemberList)
  @RefusesWith('VALIDATION_ERROR', 'INVALID_REQUEST')
  async list(@ByCaller() caller: Caller, @QueryOf(PageQuery) query: PageQuery): Promise<MemberList> {
    const { items, next } = await this.members.list(caller, pageOf(query));
    return { members: items.map((member) => MemberRecord.of(member)), ...nextCursor(next) };
  }

  @Get(':userId')
  @InOrganization('members:read')
  @ApiOperation({ operationId: 'getMember', summary: 'One member' })
  @Answers(OneMember)
  @RefusesWith('NOT_FOUND')
  async one(@ByCaller() caller: Caller, @Param('userId') userId: string): Promise<OneMember> {
    return { member: MemberRecord.of(await this.members.one(caller, userId)) };
  }

  @Patch(':userId')
  @InOrganization('members:write')
  @ApiOperation({ operationId: 'changeMember', summary: 'Gives a member another role; owners are made by owners' })
  @TakesBodyOnce(ChangeMemberRequest)
  @Answers(OneMember)
  @RefusesWith('NOT_FOUND', 'LAST_OWNER')
  async change(
    @ByCaller() caller: Caller,
    @Param('userId') userId: string,
    @JsonBody(ChangeMemberRequest) { role }: ChangeMemberRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneMember> {
    return { member: await this.members.changeRole(call, caller, userId, role) };
  }

  @Delete(':userId')
  @InOrganization('members:read', { evenWhenLocked: true })
  @ApiOperation({
    operationId: 'removeMember',
    summary: 'Ends a membership',
    description: 'Owners and admins remove others; with one’s own id everybody leaves.',
  })
  @AnswersNothing()
  @RefusesWith('NOT_FOUND', 'LAST_OWNER')
  async remove(@ByCaller() caller: Caller, @Param('userId') userId: string, @ToWrite() call: WriteCall): Promise<void> {
    await this.members.remove(call, caller, userId);
  }
}
