import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Workspace } from '@heliograph/tenancy';
import { RequireWorkspacePermission } from '../../access/access.decorators';
import { CurrentWorkspace } from '../../access/caller';
import { ContactPage, ContactQuery, OneContact } from './contacts.dto';
import { ContactsService } from './contacts.service';
import { AccountOperation } from '../../http/envelope';

@ApiTags('Inbox')
@Controller('api/workspaces/:id/contacts')
export class ContactsController {
  constructor(private readonly contacts: ContactsService) {}

  @Get()
  @RequireWorkspacePermission('conversations:read')
  @AccountOperation({
    id: 'listContacts',
    summary: 'List contacts, sorted by creation time, oldest first',

    description: 'Persons who left their email address or phone number in a conversation.',
    response: ContactPage,
  })
  list(@CurrentWorkspace() workspace: Workspace, @Query() query: ContactQuery): Promise<ContactPage> {
    return this.contacts.list(workspace, query);
  }

  @Get(':contactId')
  @RequireWorkspacePermission('conversations:read')
  @AccountOperation({
    id: 'getContact',
    summary: 'Get a contact',
    description: 'Returns the name, the email address and the phone number of a person.',
    response: OneContact,
  })
  get(@CurrentWorkspace() workspace: Workspace, @Param('contactId') id: string): Promise<OneContact> {
    return this.contacts.get(workspace, id);
  }
}
