import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Workspace } from '@heliograph/tenancy';
import { RequireWorkspacePermission } from '../../access/access.decorators';
import { CurrentWorkspace } from '../../access/caller';
import { ApiData, CALLER_ERRORS, ApiErrors } from '../../http/envelope';
import { nextCursor, pageOf, ValidatedQuery } from '../../http/query';
import { ContactPage, ContactQuery, ContactRecord, OneContact } from './contacts.dto';
import { ContactsService } from './contacts.service';

@ApiTags('Inbox')
@ApiErrors(...CALLER_ERRORS, 'NOT_FOUND')
@Controller('api/workspaces/:id/contacts')
export class ContactsController {
  constructor(private readonly contacts: ContactsService) {}

  @Get()
  @RequireWorkspacePermission('conversations:read')
  @ApiOperation({ operationId: 'listContacts', summary: 'List contacts, sorted by creation time, oldest first' })
  @ApiData(ContactPage)
  async list(
    @CurrentWorkspace() workspace: Workspace,
    @ValidatedQuery(ContactQuery) query: ContactQuery,
  ): Promise<ContactPage> {
    const { items, next } = await this.contacts.list(workspace, pageOf(query), query);
    return { contacts: items.map((contact) => ContactRecord.of(contact)), ...nextCursor(next) };
  }

  @Get(':contactId')
  @RequireWorkspacePermission('conversations:read')
  @ApiOperation({ operationId: 'getContact', summary: 'Get a contact' })
  @ApiData(OneContact)
  async get(@CurrentWorkspace() workspace: Workspace, @Param('contactId') id: string): Promise<OneContact> {
    return { contact: ContactRecord.of(await this.contacts.get(workspace, id)) };
  }
}
