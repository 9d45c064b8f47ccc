import { Body, Controller, Delete, Get, HttpCode, HttpStatus, Param, Post, Put, Query } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { Idempotent } from '@heliograph/idempotency';
import { HttpResult, V1ListQuery, V1Request, type V1List, V1Operation } from '@heliograph/service-kit';
import type { Write } from '@heliograph/tenancy';
import { RequireV1Permission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { CurrentWrite } from '../../unit-of-work/current-write';
import { V1Api } from '../../developer/reference/v1-api';
import {
  V1Contact,
  V1ContactRequest,
  V1Contacts,
  V1ContactsQuery,
  V1ConsentRecord,
  V1ConsentRecords,
  V1UpsertQuery,
} from './contacts.dto';
import { ContactsService } from './contacts.service';

@V1Request()
class V1ConsentsQuery extends V1ListQuery {}

@V1Api('v1: contacts')
@Controller('api/v1/contacts')
export class V1ContactsController {
  constructor(private readonly contacts: ContactsService) {}

  @Post()
  @RequireV1Permission('contacts:write')
  @Idempotent()
  // A created contact has the status 201.
  @HttpCode(HttpStatus.OK)
  @ApiResponse({ status: 201, type: V1Contact, description: 'The created contact' })
  @ApiResponse({
    status: 200,
    type: V1Contact,
    description: 'The existing contact after the update, if `upsert` is `true`',
  })
  @V1Operation({
    id: 'v1CreateContact',
    summary: 'Create a contact, or update an existing contact',

    description:
      'With `upsert=true`, a contact with the same email address or phone number is updated. Otherwise it is 409 `CONTACT_EXISTS` with `contact_id`.',
    errors: ['INVALID_REQUEST', 'CONTACT_EXISTS', 'LIMIT_REACHED', 'PAYLOAD_TOO_LARGE'],
  })
  create(
    @CurrentCaller() caller: Caller,
    @Query() { upsert }: V1UpsertQuery,
    @Body() request: V1ContactRequest,
    @CurrentWrite() write: Write,
  ): Promise<V1Contact | HttpResult<V1Contact>> {
    const answer = (contact: V1Contact, isNew: boolean) =>
      isNew ? new HttpResult({ status: HttpStatus.CREATED, body: contact }) : contact;
    return this.contacts.create(write, caller, request, upsert === 'true', answer);
  }

  @Get()
  @RequireV1Permission('contacts:read')
  @V1Operation({
    id: 'v1ListContacts',
    summary: 'List or search contacts, newest first',

    description: '`search` finds prefixes of names, addresses and numbers. Filters can be combined.',
    response: V1Contacts,
    errors: ['INVALID_REQUEST'],
  })
  list(@CurrentCaller() caller: Caller, @Query() query: V1ContactsQuery): Promise<V1List<V1Contact>> {
    return this.contacts.list(caller, query);
  }

  @Get(':contactId')
  @RequireV1Permission('contacts:read')
  @V1Operation({
    id: 'v1GetContact',
    summary: 'Get a contact',
    description: 'Returns a contact with its groups and its consents.',
    response: V1Contact,
    errors: ['NOT_FOUND'],
  })
  get(@CurrentCaller() caller: Caller, @Param('contactId') id: string): Promise<V1Contact> {
    return this.contacts.get(caller, id);
  }

  @Put(':contactId')
  @RequireV1Permission('contacts:write')
  @V1Operation({
    id: 'v1ChangeContact',
    summary: 'Update a contact',
    description:
      'Replaces the fields in the request; `null` clears a field. Attributes are merged by name; `group_ids` replaces all groups of the contact.',
    response: V1Contact,
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'CONTACT_EXISTS', 'PAYLOAD_TOO_LARGE'],
    sample: { body: { first_name: 'Anna', attributes: { plan: 'pro' } } },
  })
  change(
    @CurrentCaller() caller: Caller,
    @Param('contactId') id: string,
    @Body() request: V1ContactRequest,
    @CurrentWrite() write: Write,
  ): Promise<V1Contact> {
    return this.contacts.change(write, caller, id, request);
  }

  @Delete(':contactId')
  @RequireV1Permission('contacts:erase')
  @HttpCode(HttpStatus.NO_CONTENT)
  @ApiResponse({ status: 204, description: 'The contact was deleted' })
  @V1Operation({
    id: 'v1EraseContact',
    summary: 'Delete a contact and erase the person',
    description:
      'Deletes the contact. In the background, the conversations of the person are deleted and the person is masked in message ' +
      'logs. A keyed hash of the addresses is retained, so that channels on which the person had opted out or was suppressed stay ' +
      'blocked until a new opt-in. Data that is created after the response is retained.',
    errors: ['NOT_FOUND'],
    sample: { values: { contactId: { create: '/api/v1/contacts', body: { email: 'former@elsewhere.example' } } } },
  })
  async erase(
    @CurrentCaller() caller: Caller,
    @Param('contactId') id: string,
    @CurrentWrite() write: Write,
  ): Promise<void> {
    await this.contacts.erase(write, caller, id);
  }

  @Get(':contactId/consents')
  @RequireV1Permission('contacts:read')
  @V1Operation({
    id: 'v1ListContactConsents',
    summary: 'List the consent history of a contact, newest first',

    description: 'Each entry has the time, the source, the address and the text: the evidence of an opt-in.',
    response: V1ConsentRecords,
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  })
  consents(
    @CurrentCaller() caller: Caller,
    @Param('contactId') id: string,
    @Query() query: V1ConsentsQuery,
  ): Promise<V1List<V1ConsentRecord>> {
    return this.contacts.consents(caller, id, query);
  }
}
