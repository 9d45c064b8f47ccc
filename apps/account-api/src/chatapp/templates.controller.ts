import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ChatappCatalogService } from '@heliograph/chatapp-catalog';
import { given } from '@heliograph/database';
import { DataSource } from 'typeorm';
import { InOrganization } from '../access/access.decorators';
import { ByCaller, type Caller } from '../access/caller';
import { Answers, CALLER_REFUSALS, RefusesWith } from '../http/envelope';
import { nextCursor, pageOf, QueryOf } from '../http/query';
import { ChatappTemplatePage, ChatappTemplateQuery, ChatappTemplateRecord } from './templates.dto';

/** The platform's catalogue as we last saw it. It is written where the platform is spoken to, in chatapp-api. */
@ApiTags('Chat-app')
@RefusesWith(...CALLER_REFUSALS)
@Controller('api/organization/chatapp/templates')
export class ChatappTemplatesController {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(ChatappCatalogService) private readonly catalog: ChatappCatalogService,
  ) {}

  @Get()
  @InOrganization('chatapp:read')
  @ApiOperation({ operationId: 'listChatappTemplates', summary: 'The templates of the organization and of everybody' })
  @Answers(ChatappTemplatePage)
  async list(
    @ByCaller() { organizationId }: Caller,
    @QueryOf(ChatappTemplateQuery) query: ChatappTemplateQuery,
  ): Promise<ChatappTemplatePage> {
    const filter = given({ status: query.status });
    const { manager } = this.dataSource;
    const { items, next } = await this.catalog.listTemplates(manager, organizationId, pageOf(query), filter);
    return { templates: items.map((template) => ChatappTemplateRecord.of(template)), ...nextCursor(next) };
  }
}
