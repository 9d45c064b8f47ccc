import { Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../access/access.decorators';
import { CurrentCaller, type Caller } from '../access/caller';
import { ApiData, ApiNoContent, CALLER_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiIdempotentBody } from '../http/json-body';
import { nextCursor, PageQuery, pageOf, ValidatedQuery } from '../http/query';
import { CurrentWriteRequest, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import { MemberManagementService } from './member-management.service';
import { ChangeMemberRequest, MemberList, MemberRecord, OneMember } from './members.dto';

@ApiTags('Members')
@ApiErrors(...CALLER_ERRORS)
@Controller('api/organization/members')
export class MembersController {
  constructor(private readonly members: MemberManagementService) {}

  @Get()
  @RequirePermission('members:read')
  @ApiOperation({ operationId: 'listMembers', summary: 'List the members of the organization and their roles' })
  @ApiData(MemberList)
  @ApiErrors('VALIDATION_ERROR', 'INVALID_REQUEST')
  async list(@CurrentCaller() caller: Caller, @ValidatedQuery(PageQuery) query: PageQuery): Promise<MemberList> {
    const { items, next } = await this.members.list(caller, pageOf(query));
    return { members: items.map((member) => MemberRecord.of(member)), ...nextCursor(next) };
  }

  @Get(':userId')
  @RequirePermission('members:read')
  @ApiOperation({ operationId: 'getMember', summary: 'Get a member' })
  @ApiData(OneMember)
  @ApiErrors('NOT_FOUND')
  async get(@CurrentCaller() caller: Caller, @Param('userId') userId: string): Promise<OneMember> {
    return { member: MemberRecord.of(await this.members.get(caller, userId)) };
  }

  @Patch(':userId')
  @RequirePermission('members:write')
  @ApiOperation({
    operationId: 'changeMember',
    summary: 'Change the role of a member; only owners can grant the owner role',
  })
  @ApiIdempotentBody(ChangeMemberRequest)
  @ApiData(OneMember)
  @ApiErrors('NOT_FOUND', 'LAST_OWNER')
  async update(
    @CurrentCaller() caller: Caller,
    @Param('userId') userId: string,
    @JsonBody(ChangeMemberRequest) { role }: ChangeMemberRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneMember> {
    return { member: await this.members.changeRole(write, caller, userId, role) };
  }

  @Delete(':userId')
  @RequirePermission('members:read', { evenWhenLocked: true })
  @ApiOperation({
    operationId: 'removeMember',
    summary: 'Remove a member',
    description:
      'Owners and admins can remove other members. Every member can remove themselves to leave the organization.',
  })
  @ApiNoContent()
  @ApiErrors('NOT_FOUND', 'LAST_OWNER')
  async remove(
    @CurrentCaller() caller: Caller,
    @Param('userId') userId: string,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<void> {
    await this.members.remove(write, caller, userId);
  }
}
