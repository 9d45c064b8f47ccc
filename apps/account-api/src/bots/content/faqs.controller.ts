import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AppError } from '@heliograph/errors';
import type { Workspace } from '@heliograph/tenancy';
import { RequireWorkspacePermission } from '../../access/access.decorators';
import { CurrentWorkspace } from '../../access/caller';
import { ApiData, CALLER_ERRORS, ApiErrors } from '../../http/envelope';
import { JsonBody, ApiIdempotentBody, ApiIdempotent } from '../../http/json-body';
import { nextCursor, PageQuery, pageOf, ValidatedQuery } from '../../http/query';
import { validateRequest } from '../../http/validation';
import { CurrentWriteRequest, type WriteRequest } from '../../unit-of-work/unit-of-work.service';
import { ContentService } from './content.service';
import {
  ChangeFaqRequest,
  CreateFaqRequest,
  FaqPage,
  FaqRecord,
  ImportedFaq,
  ImportFaqsRequest,
  AUDITED_FAQS,
  OneFaq,
  OneImport,
} from './faqs.dto';

@ApiTags('Bots')
@ApiErrors(...CALLER_ERRORS, 'NOT_FOUND')
@Controller('api/workspaces/:id/bots/:botId/faqs')
export class FaqsController {
  constructor(private readonly content: ContentService) {}

  @Get()
  @RequireWorkspacePermission('bots:read')
  @ApiOperation({ operationId: 'listFaqs', summary: 'List FAQs of a bot, sorted by creation time, oldest first' })
  @ApiData(FaqPage)
  async list(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @ValidatedQuery(PageQuery) query: PageQuery,
  ): Promise<FaqPage> {
    const { items, next } = await this.content.list({ workspace, botId }, AUDITED_FAQS, pageOf(query));
    return { faqs: items.map((faq) => FaqRecord.of(faq)), ...nextCursor(next) };
  }

  @Get(':faqId')
  @RequireWorkspacePermission('bots:read')
  @ApiOperation({ operationId: 'getFaq', summary: 'Get a FAQ' })
  @ApiData(OneFaq)
  async get(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('faqId') id: string,
  ): Promise<OneFaq> {
    return { faq: FaqRecord.of(await this.content.get({ workspace, botId }, AUDITED_FAQS, id)) };
  }

  @Post()
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({ operationId: 'createFaq', summary: 'Create a FAQ; it is used for answers immediately' })
  @ApiIdempotentBody(CreateFaqRequest)
  @ApiData(OneFaq, 201)
  @ApiErrors('NAME_TAKEN', 'STATE_CONFLICT')
  async create(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @JsonBody(CreateFaqRequest) body: CreateFaqRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneFaq> {
    return {
      faq: await this.content.create(write, { workspace, botId }, AUDITED_FAQS, body, (faq) => FaqRecord.of(faq)),
    };
  }

  @Post('import')
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({ operationId: 'importFaqs', summary: 'Import up to 1,000 FAQs: creates and updates all or none' })
  @ApiIdempotentBody(ImportFaqsRequest)
  @ApiData(OneImport, 201)
  @ApiErrors('NAME_TAKEN', 'STATE_CONFLICT')
  async import(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @JsonBody(ImportFaqsRequest) { faqs }: ImportFaqsRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneImport> {
    const list = { list: faqs.map(readImported), place: 'faqs' };
    const done = await this.content.import(write, { workspace, botId }, AUDITED_FAQS, list, (result) => ({
      created: result.created.length,
      changed: result.changed.length,
      unchanged: result.unchanged,
    }));
    return { import: done };
  }

  @Patch(':faqId')
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({ operationId: 'changeFaq', summary: 'Update a FAQ' })
  @ApiIdempotentBody(ChangeFaqRequest)
  @ApiData(OneFaq)
  async update(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('faqId') id: string,
    @JsonBody(ChangeFaqRequest) body: ChangeFaqRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneFaq> {
    return {
      faq: await this.content.update(write, { workspace, botId }, AUDITED_FAQS, id, body, (faq) => FaqRecord.of(faq)),
    };
  }

  @Delete(':faqId')
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({ operationId: 'removeFaq', summary: 'Delete a FAQ' })
  @ApiIdempotent()
  @ApiData(OneFaq)
  async remove(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('faqId') id: string,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneFaq> {
    return {
      faq: await this.content.remove(write, { workspace, botId }, AUDITED_FAQS, id, (faq) => FaqRecord.of(faq)),
    };
  }
}

function readImported(one: object, index: number): ImportedFaq {
  try {
    return validateRequest(ImportedFaq, one);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, `faqs[${index}].${error.message}`, { cause: error });
  }
}
