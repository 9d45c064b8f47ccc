import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { EmailCatalog } from '@heliograph/email-catalog';
import { EmailApi } from '../email-api.openapi';
import { SenderList, SenderRecord, TemplateList, TemplateRecord } from './catalog.dto';

@EmailApi('Catalog')
@Controller(['email', 'api/email'])
export class CatalogController {
  constructor(private readonly catalog: EmailCatalog) {}

  @Get('senders')
  @RequireScope('email:read')
  @ApiOperation({ operationId: 'listEmailSenders', summary: 'List senders on verified domains' })
  @ApiResponse({ status: 200, type: SenderList })
  async senders(@Caller() caller: Tenant): Promise<SenderList> {
    return {
      senders: (await this.catalog.listSenders(caller.organizationId)).map((sender) => SenderRecord.of(sender)),
    };
  }

  @Get('templates')
  @RequireScope('email:read')
  @ApiOperation({ operationId: 'listEmailTemplates', summary: 'List templates' })
  @ApiResponse({ status: 200, type: TemplateList })
  async templates(@Caller() caller: Tenant): Promise<TemplateList> {
    return {
      templates: (await this.catalog.listTemplates(caller.organizationId)).map((template) =>
        TemplateRecord.of(template),
      ),
    };
  }
}
