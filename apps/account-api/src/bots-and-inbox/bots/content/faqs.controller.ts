import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Workspace, Write } from '@heliograph/tenancy';
import { RequireWorkspacePermission } from '../../../access/access.decorators';
import { CurrentWorkspace } from '../../../access/caller';
import { AccountOperation, IdempotentWrite } from '../../../http/envelope';
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
  @AccountOperation({
    id: 'listFaqs',
    summary: 'List FAQs of a bot, sorted by creation time, oldest first',

    description: 'Contains FAQs that are not published.',
    response: FaqPage,
  })
  list(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Query() query: PageQuery,
  ): Promise<FaqPage> {
    return this.content.list({ workspace, botId }, FAQ_CONTENT, query);
  }

  @Get(':faqId')
  @RequireWorkspacePermission('bots:read')
  @AccountOperation({
    id: 'getFaq',
    summary: 'Get an FAQ',
    description: 'Returns a question with its answer and its other phrasings.',
    response: OneFaq,
  })
  get(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('faqId') id: string,
  ): Promise<OneFaq> {
    return this.content.get({ workspace, botId }, FAQ_CONTENT, id);
  }

  @Post()
  @RequireWorkspacePermission('bots:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'createFaq',
    summary: 'Create an FAQ, which the bot uses immediately',

    description:
      'Other phrasings of the question help the bot to find the answer. The bot does not have to be published again.',
    status: 201,
    response: OneFaq,
    errors: ['NAME_TAKEN', 'LIMIT_REACHED'],
    sample: {
      body: {
        id: 'parking',
        question: 'Where can I park?',
        phrasings: ['Is there a car park?'],
        answer: 'Behind the showroom, free for two hours.',
        label: 'Parking',
      },
    },
  })
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
  @IdempotentWrite()
  @AccountOperation({
    id: 'importFaqs',
    summary: 'Create or update up to 1,000 FAQs in one transaction',

    description: 'FAQs with the same question are updated. If one entry is invalid, nothing changes.',
    status: 201,
    response: OneImport,
    errors: ['NAME_TAKEN', 'LIMIT_REACHED'],
  })
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
  @IdempotentWrite()
  @AccountOperation({
    id: 'changeFaq',
    summary: 'Update an FAQ',
    description: 'The bot uses the new text immediately.',
    response: OneFaq,
  })
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
  @IdempotentWrite()
  @AccountOperation({
    id: 'removeFaq',
    summary: 'Delete an FAQ',
    description: 'The bot does not use it any more. Earlier replies remain in the conversations.',
    response: OneFaq,
  })
  remove(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('faqId') id: string,
    @CurrentWrite() write: Write,
  ): Promise<OneFaq> {
    return this.content.remove(write, { workspace, botId }, FAQ_CONTENT, id);
  }
}
