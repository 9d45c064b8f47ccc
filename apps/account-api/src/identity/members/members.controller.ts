import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequirePermission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { AccountOperation, ApiNoContent, IdempotentWrite } from '../../http/envelope';
import { PageQuery } from '../../http/page.query';
import { CurrentWrite } from '../../unit-of-work/current-write';
import { MemberManagementService } from './member-management.service';
import { ChangeMemberRequest, MemberList, OneMember } from './members.dto';

@ApiTags('Members')
@Controller('api/organization/members')
export class MembersController {
  constructor(private readonly members: MemberManagementService) {}

  @Get()
  @RequirePermission('members:read')
  @AccountOperation({
    id: 'listMembers',
    summary: 'List the members of the organization and their roles',

    description: 'Returns the members who have accepted their invitation.',
    response: MemberList,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<MemberList> {
    return this.members.list(caller, query);
  }

  @Get(':userId')
  @RequirePermission('members:read')
  @AccountOperation({
    id: 'getMember',
    summary: 'Get a member',

    description: 'Returns the role of a member and the time of joining.',
    response: OneMember,
    errors: ['NOT_FOUND'],
    sample: { values: { userId: { get: '/api/organization/members?limit=1', field: 'userId' } } },
  })
  get(@CurrentCaller() caller: Caller, @Param('userId') userId: string): Promise<OneMember> {
    return this.members.get(caller, userId);
  }

  @Patch(':userId')
  @RequirePermission('members:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'changeMember',
    summary: 'Change the role of a member',
    description: 'Only owners can grant the owner role.',
    response: OneMember,
    errors: ['NOT_FOUND', 'LAST_OWNER'],
    sample: {
      body: { role: 'viewer' },
      values: { userId: { get: '/api/organization/members', match: '"role":"viewer"', field: 'userId' } },
    },
  })
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
  @IdempotentWrite()
  @ApiNoContent()
  @AccountOperation({
    id: 'removeMember',
    summary: 'Remove a member',
    description:
      'Owners and admins can remove other members. Every member can remove themselves to leave the organization.',
    errors: ['NOT_FOUND', 'LAST_OWNER'],
    sample: { values: { userId: { get: '/api/organization/members', match: '"role":"viewer"', field: 'userId' } } },
  })
  async remove(
    @CurrentCaller() caller: Caller,
    @Param('userId') userId: string,
    @CurrentWrite() write: Write,
  ): Promise<void> {
    await this.members.remove(write, caller, userId);
  }
}
