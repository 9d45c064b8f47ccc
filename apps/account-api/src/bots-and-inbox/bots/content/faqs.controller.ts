import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Workspace, Write } from '@heliograph/tenancy';
import { Sample } from '@heliograph/service-kit';
import { RequireWorkspacePermission } from '../../../access/access.decorators';
import { CurrentWorkspace } from '../../../access/caller';
import { ApiData, IdempotentWrite } from '../../../http/envelope';
import { AccountApiErrors } from '../../../http/api-errors';
import { PageQuery } from '../../../http/page.query';
import { CurrentWrite } from '../../../unit-of-work/current-write';
import { ContentService } from './content.service';
import {
  ChangeFaqRequest,
  CreateFaqRequest,
  FaqPage,
  ImportRecord,
  ImportFaqsRequest,
  FAQ_CONTENT,
  OneFaq,
  OneImport,
} from './faqs.dto';

@ApiTags('Bots')
@Controller('api/workspaces/:id/bots/:botId/faqs')
export class FaqsController {
  constructor(private readonly content: ContentService) {}

  @Get()
  @RequireWorkspacePermission('bots:read')
  @ApiOperation({ operationId: 'listFaqs', summary: 'List FAQs of a bot, sorted by creation time, oldest first' })
  @ApiData(FaqPage)
  list(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Query() query: PageQuery,
  ): Promise<FaqPage> {
    return this.content.list({ workspace, botId }, FAQ_CONTENT, query);
  }

  @Get(':faqId')
  @RequireWorkspacePermission('bots:read')
  @ApiOperation({ operationId: 'getFaq', summary: 'Get an FAQ' })
  @ApiData(OneFaq)
  get(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('faqId') id: string,
  ): Promise<OneFaq> {
    return this.content.get({ workspace, botId }, FAQ_CONTENT, id);
  }

  @Post()
  @RequireWorkspacePermission('bots:write')
  @Sample({
    body: {
      id: 'parking',
      question: 'Where can I park?',
      phrasings: ['Is there a car park?'],
      answer: 'Behind the showroom, free for two hours.',
      label: 'Parking',
    },
  })
  @ApiOperation({ operationId: 'createFaq', summary: 'Create an FAQ, which the bot uses immediately' })
  @IdempotentWrite()
  @ApiData(OneFaq, 201)
  @AccountApiErrors('NAME_TAKEN', 'LIMIT_REACHED')
  create(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Body() body: CreateFaqRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneFaq> {
    return this.content.create(write, { workspace, botId }, FAQ_CONTENT, body);
  }

  @Post('import')
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({ operationId: 'importFaqs', summary: 'Create or update up to 1,000 FAQs in one transaction' })
  @IdempotentWrite()
  @ApiData(OneImport, 201)
  @AccountApiErrors('NAME_TAKEN', 'LIMIT_REACHED')
  import(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Body() { faqs }: ImportFaqsRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneImport> {
    const list = { list: faqs, place: 'faqs' };
    return this.content.import(write, { workspace, botId }, FAQ_CONTENT, list, ImportRecord.of);
  }

  @Patch(':faqId')
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({ operationId: 'changeFaq', summary: 'Update an FAQ' })
  @IdempotentWrite()
  @ApiData(OneFaq)
  update(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('faqId') id: string,
    @Body() body: ChangeFaqRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneFaq> {
    return this.content.update(write, { workspace, botId }, FAQ_CONTENT, id, body);
  }

  @Delete(':faqId')
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({ operationId: 'removeFaq', summary: 'Delete an FAQ' })
  @IdempotentWrite()
  @ApiData(OneFaq)
  remove(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('faqId') id: string,
    @CurrentWrite() write: Write,
  ): Promise<OneFaq> {
    return this.content.remove(write, { workspace, botId }, FAQ_CONTENT, id);
  }
}
