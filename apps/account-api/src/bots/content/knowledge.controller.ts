import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Workspace } from '@heliograph/tenancy';
import { RequireWorkspacePermission } from '../../access/access.decorators';
import { CurrentWorkspace } from '../../access/caller';
import { ApiData, CALLER_ERRORS, ApiErrors } from '../../http/envelope';
import { JsonBody, ApiIdempotentBody, ApiIdempotent } from '../../http/json-body';
import { nextCursor, PageQuery, pageOf, ValidatedQuery } from '../../http/query';
import { CurrentWriteRequest, type WriteRequest } from '../../unit-of-work/unit-of-work.service';
import { ContentService } from './content.service';
import {
  ChangeArticleRequest,
  CreateArticleRequest,
  ArticleEntry,
  ArticlePage,
  ArticleRecord,
  AUDITED_ARTICLES,
  OneArticle,
} from './knowledge.dto';

@ApiTags('Bots')
@ApiErrors(...CALLER_ERRORS, 'NOT_FOUND')
@Controller('api/workspaces/:id/bots/:botId/knowledge')
export class ArticlesController {
  constructor(private readonly content: ContentService) {}

  @Get()
  @RequireWorkspacePermission('bots:read')
  @ApiOperation({
    operationId: 'listArticles',
    summary: 'List knowledge articles of a bot without their texts, sorted by creation time, oldest first',
  })
  @ApiData(ArticlePage)
  async list(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @ValidatedQuery(PageQuery) query: PageQuery,
  ): Promise<ArticlePage> {
    const { items, next } = await this.content.list({ workspace, botId }, AUDITED_ARTICLES, pageOf(query));
    return { articles: items.map((article) => ArticleEntry.of(article)), ...nextCursor(next) };
  }

  @Get(':articleId')
  @RequireWorkspacePermission('bots:read')
  @ApiOperation({ operationId: 'getArticle', summary: 'Get a knowledge article with its text' })
  @ApiData(OneArticle)
  async get(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('articleId') id: string,
  ): Promise<OneArticle> {
    return { article: ArticleRecord.of(await this.content.get({ workspace, botId }, AUDITED_ARTICLES, id)) };
  }

  @Post()
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({
    operationId: 'createArticle',
    summary: 'Create a knowledge article; it is used for answers immediately',
  })
  @ApiIdempotentBody(CreateArticleRequest)
  @ApiData(OneArticle, 201)
  @ApiErrors('NAME_TAKEN', 'STATE_CONFLICT')
  async create(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @JsonBody(CreateArticleRequest) body: CreateArticleRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneArticle> {
    return {
      article: await this.content.create(write, { workspace, botId }, AUDITED_ARTICLES, body, (article) =>
        ArticleRecord.of(article),
      ),
    };
  }

  @Patch(':articleId')
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({ operationId: 'changeArticle', summary: 'Update a knowledge article' })
  @ApiIdempotentBody(ChangeArticleRequest)
  @ApiData(OneArticle)
  @ApiErrors('NAME_TAKEN')
  async update(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('articleId') id: string,
    @JsonBody(ChangeArticleRequest) body: ChangeArticleRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneArticle> {
    return {
      article: await this.content.update(write, { workspace, botId }, AUDITED_ARTICLES, id, body, (article) =>
        ArticleRecord.of(article),
      ),
    };
  }

  @Delete(':articleId')
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({ operationId: 'removeArticle', summary: 'Delete a knowledge article' })
  @ApiIdempotent()
  @ApiData(OneArticle)
  async remove(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('articleId') id: string,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneArticle> {
    return {
      article: await this.content.remove(write, { workspace, botId }, AUDITED_ARTICLES, id, (article) =>
        ArticleRecord.of(article),
      ),
    };
  }
}
