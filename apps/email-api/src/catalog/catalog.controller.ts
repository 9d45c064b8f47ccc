import { Controller, Get } from '@nestjs/common';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { EmailCatalog } from '@heliograph/email-catalog';
import { EmailApi } from '../email-api.openapi';
import { SenderList, SenderRecord, TemplateList, TemplateRecord } from './catalog.dto';
import { MessagingOperation } from '@heliograph/service-kit';

@EmailApi('Catalog')
@Controller(['email', 'api/email'])
export class CatalogController {
  constructor(private readonly catalog: EmailCatalog) {}

  @Get('senders')
  @RequireScope('email:read')
  @MessagingOperation({
    id: 'listEmailSenders',
    summary: 'List senders on verified domains',
    description: '`from` of a send is the address of one of them.',
    response: SenderList,
  })
  async senders(@Caller() caller: Tenant): Promise<SenderList> {
    return {
      senders: (await this.catalog.listSenders(caller.organizationId)).map((sender) => SenderRecord.of(sender)),
    };
  }

  @Get('templates')
  @RequireScope('email:read')
  @MessagingOperation({
    id: 'listEmailTemplates',
    summary: 'List templates',
    description: '`template` of a send is the id or the slug of one of them.',
    response: TemplateList,
  })
  async templates(@Caller() caller: Tenant): Promise<TemplateList> {
    return {
      templates: (await this.catalog.listTemplates(caller.organizationId)).map((template) =>
        TemplateRecord.of(template),
      ),
    };
  }
}
