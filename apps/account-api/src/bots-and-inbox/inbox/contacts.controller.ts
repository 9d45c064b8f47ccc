import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Workspace } from '@heliograph/tenancy';
import { RequireWorkspacePermission } from '../../access/access.decorators';
import { CurrentWorkspace } from '../../access/caller';
import { ApiData } from '../../http/envelope';
import { ContactPage, ContactQuery, OneContact } from './contacts.dto';
import { ContactsService } from './contacts.service';

@ApiTags('Inbox')
@Controller('api/workspaces/:id/contacts')
export class ContactsController {
  constructor(private readonly contacts: ContactsService) {}

  @Get()
  @RequireWorkspacePermission('conversations:read')
  @ApiOperation({ operationId: 'listContacts', summary: 'List contacts, sorted by creation time, oldest first' })
  @ApiData(ContactPage)
  list(@CurrentWorkspace() workspace: Workspace, @Query() query: ContactQuery): Promise<ContactPage> {
    return this.contacts.list(workspace, query);
  }

  @Get(':contactId')
  @RequireWorkspacePermission('conversations:read')
  @ApiOperation({ operationId: 'getContact', summary: 'Get a contact' })
  @ApiData(OneContact)
  get(@CurrentWorkspace() workspace: Workspace, @Param('contactId') id: string): Promise<OneContact> {
    return this.contacts.get(workspace, id);
  }
}
