import { Controller, Get } from '@nestjs/common';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { Catalog } from '@heliograph/sms-catalog';
import { SmsApi } from '../sms-api.openapi';
import { SenderList, SenderRecord, TemplateList, TemplateRecord } from './catalog.dto';
import { MessagingOperation } from '@heliograph/service-kit';

@SmsApi('Catalog')
@Controller(['sms', 'api/sms'])
export class CatalogController {
  constructor(private readonly catalog: Catalog) {}

  @Get('senders')
  @RequireScope('sms:read')
  @MessagingOperation({
    id: 'listSmsSenders',
    summary: 'List all senders, including inactive senders',

    description: '`senderId` or the header is `from` of a send.',
    response: SenderList,
  })
  async senders(@Caller() caller: Tenant): Promise<SenderList> {
    return {
      senders: (await this.catalog.listSenders(caller.organizationId)).map((sender) => SenderRecord.of(sender)),
    };
  }

  @Get('templates')
  @RequireScope('sms:read')
  @MessagingOperation({
    id: 'listSmsTemplates',
    summary: 'List all templates, including inactive templates',

    description: '`variables` lists the values that a send must contain.',
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
