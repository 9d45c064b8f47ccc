import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ChatappCatalogService } from '@heliograph/chatapp-catalog';
import { given } from '@heliograph/database';
import { DataSource } from 'typeorm';
import { RequirePermission } from '../access/access.decorators';
import { CurrentCaller, type Caller } from '../access/caller';
import { ApiData, CALLER_ERRORS, ApiErrors } from '../http/envelope';
import { nextCursor, pageOf, ValidatedQuery } from '../http/query';
import { ChatappTemplatePage, ChatappTemplateQuery, ChatappTemplateRecord } from './templates.dto';

/** The template catalog as last synchronized from the provider. chatapp-api writes it. */
@ApiTags('Chat-app')
@ApiErrors(...CALLER_ERRORS)
@Controller('api/organization/chatapp/templates')
export class ChatappTemplatesController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly catalog: ChatappCatalogService,
  ) {}

  @Get()
  @RequirePermission('chatapp:read')
  @ApiOperation({
    operationId: 'listChatappTemplates',
    summary: 'List the templates of the organization and the shared templates',
  })
  @ApiData(ChatappTemplatePage)
  async list(
    @CurrentCaller() { organizationId }: Caller,
    @ValidatedQuery(ChatappTemplateQuery) query: ChatappTemplateQuery,
  ): Promise<ChatappTemplatePage> {
    const filter = given({ status: query.status });
    const { manager } = this.dataSource;
    const { items, next } = await this.catalog.listTemplates(manager, organizationId, pageOf(query), filter);
    return { templates: items.map((template) => ChatappTemplateRecord.of(template)), ...nextCursor(next) };
  }
}
