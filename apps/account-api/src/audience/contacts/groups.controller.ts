import { Body, Controller, Delete, Get, HttpCode, HttpStatus, Param, Post, Put, Query } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { Idempotent } from '@heliograph/idempotency';
import { type V1List, V1Operation } from '@heliograph/service-kit';
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
  @Idempotent()
  @V1Operation({
    id: 'v1CreateContactGroup',
    summary: 'Create a group of contacts',

    description: 'Names of groups are unique in the organization.',
    status: 201,
    response: V1Group,
    errors: ['INVALID_REQUEST', 'NAME_TAKEN', 'LIMIT_REACHED', 'PAYLOAD_TOO_LARGE'],
  })
  create(
    @CurrentCaller() caller: Caller,
    @Body() request: V1GroupRequest,
    @CurrentWrite() write: Write,
  ): Promise<V1Group> {
    return this.groups.create(write, caller, request);
  }

  @Get()
  @RequireV1Permission('contacts:read')
  @V1Operation({
    id: 'v1ListContactGroups',
    summary: 'List groups of contacts, newest first',

    description: 'Each group has the number of its contacts.',
    response: V1Groups,
    errors: ['INVALID_REQUEST'],
  })
  list(@CurrentCaller() caller: Caller, @Query() query: V1GroupsQuery): Promise<V1List<V1Group>> {
    return this.groups.list(caller, query);
  }

  @Get(':groupId')
  @RequireV1Permission('contacts:read')
  @V1Operation({
    id: 'v1GetContactGroup',
    summary: 'Get a group of contacts',

    description: 'Returns the name, the description and the number of contacts.',
    response: V1Group,
    errors: ['NOT_FOUND'],
  })
  get(@CurrentCaller() caller: Caller, @Param('groupId') id: string): Promise<V1Group> {
    return this.groups.get(caller, id);
  }

  @Put(':groupId')
  @RequireV1Permission('contacts:write')
  @V1Operation({
    id: 'v1ChangeContactGroup',
    summary: 'Update a group of contacts',

    description: 'Fields that the body does not contain remain.',
    response: V1Group,
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'NAME_TAKEN', 'PAYLOAD_TOO_LARGE'],
  })
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
  @ApiResponse({ status: 204, description: 'The group was deleted' })
  @V1Operation({
    id: 'v1DeleteContactGroup',
    summary: 'Delete a group, but not its contacts',

    description: 'Campaigns that have started keep their audience.',
    errors: ['NOT_FOUND'],
    sample: { values: { groupId: { create: '/api/v1/contacts/groups', body: { name: 'temporary' } } } },
  })
  async remove(
    @CurrentCaller() caller: Caller,
    @Param('groupId') id: string,
    @CurrentWrite() write: Write,
  ): Promise<void> {
    await this.groups.remove(write, caller, id);
  }

  @Post(':groupId/contacts')
  @RequireV1Permission('contacts:write')
  @Idempotent()
  @V1Operation({
    id: 'v1AddContactsToGroup',
    summary: 'Add contacts to a group',

    description: 'Contacts that are in the group already are ignored.',
    response: V1Group,
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE'],
    sample: {
      body: { contact_ids: ['01941f29-7c00-7000-8000-000000000001'] },
      values: { contact_ids: { get: '/api/v1/contacts?limit=1' } },
    },
  })
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
  @V1Operation({
    id: 'v1RemoveContactsFromGroup',
    summary: 'Remove contacts from a group',

    description: 'The contacts themselves remain.',
    response: V1Group,
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE'],
    sample: {
      body: { contact_ids: ['01941f29-7c00-7000-8000-000000000001'] },
      values: { contact_ids: { get: '/api/v1/contacts?limit=1' } },
    },
  })
  removeContacts(
    @CurrentCaller() caller: Caller,
    @Param('groupId') id: string,
    @Body() { contact_ids: contactIds }: V1MembersRequest,
    @CurrentWrite() write: Write,
  ): Promise<V1Group> {
    return this.groups.removeContacts(write, caller, id, contactIds);
  }
}
