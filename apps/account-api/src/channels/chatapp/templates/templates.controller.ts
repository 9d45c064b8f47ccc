import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ChatappCatalogService } from '@heliograph/chatapp-catalog';
import { given } from '@heliograph/database';
import { DataSource } from 'typeorm';
import { pageOf } from '@heliograph/service-kit';
import { RequirePermission } from '../../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../../access/caller';
import { ChatappTemplatePage, ChatappTemplateQuery } from './templates.dto';
import { AccountOperation } from '../../../http/envelope';

/** Read-only access to the template catalog, which chatapp-api synchronizes from the provider. */
@ApiTags('Chat-app')
@Controller('api/organization/chatapp/templates')
export class ChatappTemplatesController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly catalog: ChatappCatalogService,
  ) {}

  @Get()
  @RequirePermission('chatapp:read')
  @AccountOperation({
    id: 'listChatappTemplates',
    summary: 'List the templates of the organization and the shared templates',

    description: 'The provider reviews templates; those with the status `APPROVED` can be sent.',
    response: ChatappTemplatePage,
  })
  async list(
    @CurrentCaller() { organizationId }: Caller,
    @Query() query: ChatappTemplateQuery,
  ): Promise<ChatappTemplatePage> {
    const filter = given({ status: query.status });
    const { manager } = this.dataSource;
    return ChatappTemplatePage.of(await this.catalog.listTemplates(manager, organizationId, pageOf(query), filter));
  }
}
