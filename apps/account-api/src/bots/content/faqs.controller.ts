import { Controller, Delete, Get, Inject, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AppError } from '@heliograph/errors';
import type { Workspace } from '@heliograph/tenancy';
import { OnWorkspace } from '../../access/access.decorators';
import { InWorkspace } from '../../access/caller';
import { Answers, CALLER_REFUSALS, RefusesWith } from '../../http/envelope';
import { JsonBody, TakesBodyOnce, TakesOnce } from '../../http/json-body';
import { nextCursor, PageQuery, pageOf, QueryOf } from '../../http/query';
import { toValid } from '../../http/validation';
import { ToWrite, type WriteCall } from '../../writes/writes.service';
import { ContentService } from './content.service';
import {
  ChangeFaqRequest,
  CreateFaqRequest,
  FaqPage,
  FaqRecord,
  ImportedFaq,
  ImportFaqsRequest,
  NOTED_FAQS,
  OneFaq,
  OneImport,
} from './faqs.dto';

@ApiTags('Bots')
@RefusesWith(...CALLER_REFUSALS, 'NOT_FOUND')
@Controller('api/workspaces/:id/bots/:botId/faqs')
export class FaqsController {
  constructor(@Inject(ContentService) private readonly content: ContentService) {}

  @Get()
  @OnWorkspace('bots:read')
  @ApiOperation({ operationId: 'listFaqs', summary: 'The FAQs of a bot, in the order of their making' })
  @Answers(FaqPage)
  async list(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @QueryOf(PageQuery) query: PageQuery,
  ): Promise<FaqPage> {
    const { items, next } = await this.content.list({ workspace, botId }, NOTED_FAQS, pageOf(query));
    return { faqs: items.map((faq) => FaqRecord.of(faq)), ...nextCursor(next) };
  }

  @Get(':faqId')
  @OnWorkspace('bots:read')
  @ApiOperation({ operationId: 'getFaq', summary: 'One FAQ' })
  @Answers(OneFaq)
  async one(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('faqId') id: string,
  ): Promise<OneFaq> {
    return { faq: FaqRecord.of(await this.content.one({ workspace, botId }, NOTED_FAQS, id)) };
  }

  @Post()
  @OnWorkspace('bots:write')
  @ApiOperation({ operationId: 'createFaq', summary: 'Adds a FAQ; visitors are answered by it at once' })
  @TakesBodyOnce(CreateFaqRequest)
  @Answers(OneFaq, 201)
  @RefusesWith('NAME_TAKEN', 'STATE_CONFLICT')
  async create(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @JsonBody(CreateFaqRequest) asked: CreateFaqRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneFaq> {
    return {
      faq: await this.content.create(call, { workspace, botId }, NOTED_FAQS, asked, (faq) => FaqRecord.of(faq)),
    };
  }

  @Post('import')
  @OnWorkspace('bots:write')
  @ApiOperation({ operationId: 'importFaqs', summary: 'Adds and changes up to 1,000 FAQs: all of them, or none' })
  @TakesBodyOnce(ImportFaqsRequest)
  @Answers(OneImport, 201)
  @RefusesWith('NAME_TAKEN', 'STATE_CONFLICT')
  async import(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @JsonBody(ImportFaqsRequest) { faqs }: ImportFaqsRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneImport> {
    const list = { list: faqs.map(readImported), place: 'faqs' };
    const done = await this.content.import(call, { workspace, botId }, NOTED_FAQS, list, (result) => ({
      created: result.created.length,
      changed: result.changed.length,
      unchanged: result.unchanged,
    }));
    return { import: done };
  }

  @Patch(':faqId')
  @OnWorkspace('bots:write')
  @ApiOperation({ operationId: 'changeFaq', summary: 'Changes what is given' })
  @TakesBodyOnce(ChangeFaqRequest)
  @Answers(OneFaq)
  async change(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('faqId') id: string,
    @JsonBody(ChangeFaqRequest) asked: ChangeFaqRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneFaq> {
    return {
      faq: await this.content.change(call, { workspace, botId }, NOTED_FAQS, id, asked, (faq) => FaqRecord.of(faq)),
    };
  }

  @Delete(':faqId')
  @OnWorkspace('bots:write')
  @ApiOperation({ operationId: 'removeFaq', summary: 'Removes a FAQ' })
  @TakesOnce()
  @Answers(OneFaq)
  async remove(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('faqId') id: string,
    @ToWrite() call: WriteCall,
  ): Promise<OneFaq> {
    return { faq: await this.content.remove(call, { workspace, botId }, NOTED_FAQS, id, (faq) => FaqRecord.of(faq)) };
  }
}

function readImported(one: object, index: number): ImportedFaq {
  try {
    return toValid(ImportedFaq, one);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, `faqs[${index}].${error.message}`, { cause: error });
  }
}
