import { Controller, Get, Inject, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Workspace } from '@heliograph/tenancy';
import { OnWorkspace } from '../../access/access.decorators';
import { InWorkspace } from '../../access/caller';
import { Answers, CALLER_REFUSALS, RefusesWith } from '../../http/envelope';
import { nextCursor, pageOf, QueryOf } from '../../http/query';
import { ContactPage, ContactQuery, ContactRecord, OneContact } from './contacts.dto';
import { ContactsService } from './contacts.service';

@ApiTags('Inbox')
@RefusesWith(...CALLER_REFUSALS, 'NOT_FOUND')
@Controller('api/workspaces/:id/contacts')
export class ContactsController {
  constructor(@Inject(ContactsService) private readonly contacts: ContactsService) {}

  @Get()
  @OnWorkspace('conversations:read')
  @ApiOperation({ operationId: 'listContacts', summary: 'Who left details, in the order of their first time' })
  @Answers(ContactPage)
  async list(@InWorkspace() workspace: Workspace, @QueryOf(ContactQuery) query: ContactQuery): Promise<ContactPage> {
    const { items, next } = await this.contacts.list(workspace, pageOf(query), query);
    return { contacts: items.map((contact) => ContactRecord.of(contact)), ...nextCursor(next) };
  }

  @Get(':contactId')
  @OnWorkspace('conversations:read')
  @ApiOperation({ operationId: 'getContact', summary: 'One contact' })
  @Answers(OneContact)
  async one(@InWorkspace() workspace: Workspace, @Param('contactId') id: string): Promise<OneContact> {
    return { contact: ContactRecord.of(await this.contacts.one(workspace, id)) };
  }
}
