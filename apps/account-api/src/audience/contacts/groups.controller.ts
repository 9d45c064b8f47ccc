import { Body, Controller, Delete, Get, HttpCode, HttpStatus, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import { Idempotent } from '@heliograph/idempotency';
import { V1ApiErrors, type V1List, Sample } from '@heliograph/service-kit';
import type { Write } from '@heliograph/tenancy';
import { RequireV1Permission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { CurrentWrite } from '../../unit-of-work/current-write';
import { V1Api } from '../../developer/reference/v1-api';
import { V1Group, V1GroupChanges, V1GroupRequest, V1Groups, V1GroupsQuery, V1MembersRequest } from './groups.dto';
import { ContactGroupsService } from './groups.service';

@V1Api('v1: contacts')
@Controller('api/v1/contacts/groups')
export class V1ContactGroupsController {
  constructor(private readonly groups: ContactGroupsService) {}

  @Post()
  @RequireV1Permission('contacts:write')
  @ApiOperation({ operationId: 'v1CreateContactGroup', summary: 'Create a group of contacts' })
  @Idempotent()
  @ApiResponse({ status: 201, type: V1Group })
  @V1ApiErrors('INVALID_REQUEST', 'NAME_TAKEN', 'LIMIT_REACHED', 'PAYLOAD_TOO_LARGE')
  create(
    @CurrentCaller() caller: Caller,
    @Body() request: V1GroupRequest,
    @CurrentWrite() write: Write,
  ): Promise<V1Group> {
    return this.groups.create(write, caller, request);
  }

  @Get()
  @RequireV1Permission('contacts:read')
  @ApiOperation({ operationId: 'v1ListContactGroups', summary: 'List groups of contacts, newest first' })
  @ApiResponse({ status: 200, type: V1Groups })
  @V1ApiErrors('INVALID_REQUEST')
  list(@CurrentCaller() caller: Caller, @Query() query: V1GroupsQuery): Promise<V1List<V1Group>> {
    return this.groups.list(caller, query);
  }

  @Get(':groupId')
  @RequireV1Permission('contacts:read')
  @ApiOperation({ operationId: 'v1GetContactGroup', summary: 'Get a group of contacts' })
  @ApiResponse({ status: 200, type: V1Group })
  @V1ApiErrors('NOT_FOUND')
  get(@CurrentCaller() caller: Caller, @Param('groupId') id: string): Promise<V1Group> {
    return this.groups.get(caller, id);
  }

  @Put(':groupId')
  @RequireV1Permission('contacts:write')
  @ApiOperation({ operationId: 'v1ChangeContactGroup', summary: 'Update a group of contacts' })
  @ApiResponse({ status: 200, type: V1Group })
  @V1ApiErrors('INVALID_REQUEST', 'NOT_FOUND', 'NAME_TAKEN', 'PAYLOAD_TOO_LARGE')
  change(
    @CurrentCaller() caller: Caller,
    @Param('groupId') id: string,
    @Body() request: V1GroupChanges,
    @CurrentWrite() write: Write,
  ): Promise<V1Group> {
    return this.groups.change(write, caller, id, request);
  }

  @Delete(':groupId')
  @RequireV1Permission('contacts:write')
  @HttpCode(HttpStatus.NO_CONTENT)
  @Sample({ values: { groupId: { create: '/api/v1/contacts/groups', body: { name: 'temporary' } } } })
  @ApiOperation({ operationId: 'v1DeleteContactGroup', summary: 'Delete a group, but not its contacts' })
  @ApiResponse({ status: 204, description: 'The group was deleted' })
  @V1ApiErrors('NOT_FOUND')
  async remove(
    @CurrentCaller() caller: Caller,
    @Param('groupId') id: string,
    @CurrentWrite() write: Write,
  ): Promise<void> {
    await this.groups.remove(write, caller, id);
  }

  @Post(':groupId/contacts')
  @RequireV1Permission('contacts:write')
  @HttpCode(HttpStatus.OK)
  @Sample({
    body: { contact_ids: ['01941f29-7c00-7000-8000-000000000001'] },
    values: { contact_ids: { get: '/api/v1/contacts?limit=1' } },
  })
  @ApiOperation({ operationId: 'v1AddContactsToGroup', summary: 'Add contacts to a group' })
  @Idempotent()
  @ApiResponse({ status: 200, type: V1Group })
  @V1ApiErrors('INVALID_REQUEST', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE')
  addContacts(
    @CurrentCaller() caller: Caller,
    @Param('groupId') id: string,
    @Body() { contact_ids: contactIds }: V1MembersRequest,
    @CurrentWrite() write: Write,
  ): Promise<V1Group> {
    return this.groups.addContacts(write, caller, id, contactIds);
  }

  @Delete(':groupId/contacts')
  @RequireV1Permission('contacts:write')
  @Sample({
    body: { contact_ids: ['01941f29-7c00-7000-8000-000000000001'] },
    values: { contact_ids: { get: '/api/v1/contacts?limit=1' } },
  })
  @ApiOperation({ operationId: 'v1RemoveContactsFromGroup', summary: 'Remove contacts from a group' })
  @ApiResponse({ status: 200, type: V1Group })
  @V1ApiErrors('INVALID_REQUEST', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE')
  removeContacts(
    @CurrentCaller() caller: Caller,
    @Param('groupId') id: string,
    @Body() { contact_ids: contactIds }: V1MembersRequest,
    @CurrentWrite() write: Write,
  ): Promise<V1Group> {
    return this.groups.removeContacts(write, caller, id, contactIds);
  }
}
