import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequirePermission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { ApiData, ApiNoContent, IdempotentWrite } from '../../http/envelope';
import { AccountApiErrors } from '../../http/api-errors';
import { PageQuery } from '../../http/page.query';
import { CurrentWrite } from '../../unit-of-work/current-write';
import { MemberManagementService } from './member-management.service';
import { Sample } from '@heliograph/service-kit';
import { ChangeMemberRequest, MemberList, OneMember } from './members.dto';

@ApiTags('Members')
@Controller('api/organization/members')
export class MembersController {
  constructor(private readonly members: MemberManagementService) {}

  @Get()
  @RequirePermission('members:read')
  @ApiOperation({ operationId: 'listMembers', summary: 'List the members of the organization and their roles' })
  @ApiData(MemberList)
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<MemberList> {
    return this.members.list(caller, query);
  }

  @Get(':userId')
  @RequirePermission('members:read')
  @Sample({ values: { userId: { get: '/api/organization/members?limit=1', field: 'userId' } } })
  @ApiOperation({ operationId: 'getMember', summary: 'Get a member' })
  @ApiData(OneMember)
  @AccountApiErrors('NOT_FOUND')
  get(@CurrentCaller() caller: Caller, @Param('userId') userId: string): Promise<OneMember> {
    return this.members.get(caller, userId);
  }

  @Patch(':userId')
  @RequirePermission('members:write')
  @Sample({
    body: { role: 'viewer' },
    values: { userId: { get: '/api/organization/members', match: '"role":"viewer"', field: 'userId' } },
  })
  @ApiOperation({
    operationId: 'changeMember',
    summary: 'Change the role of a member',
    description: 'Only owners can grant the owner role.',
  })
  @IdempotentWrite()
  @ApiData(OneMember)
  @AccountApiErrors('NOT_FOUND', 'LAST_OWNER')
  update(
    @CurrentCaller() caller: Caller,
    @Param('userId') userId: string,
    @Body() { role }: ChangeMemberRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneMember> {
    return this.members.changeRole(write, caller, userId, role);
  }

  @Delete(':userId')
  @RequirePermission('members:read', { evenWhenLocked: true })
  @Sample({ values: { userId: { get: '/api/organization/members', match: '"role":"viewer"', field: 'userId' } } })
  @ApiOperation({
    operationId: 'removeMember',
    summary: 'Remove a member',
    description:
      'Owners and admins can remove other members. Every member can remove themselves to leave the organization.',
  })
  @IdempotentWrite()
  @ApiNoContent()
  @AccountApiErrors('NOT_FOUND', 'LAST_OWNER')
  async remove(
    @CurrentCaller() caller: Caller,
    @Param('userId') userId: string,
    @CurrentWrite() write: Write,
  ): Promise<void> {
    await this.members.remove(write, caller, userId);
  }
}
