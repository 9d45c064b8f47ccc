import { Controller, Delete, Get, Inject, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Workspace } from '@heliograph/tenancy';
import { OnWorkspace } from '../../access/access.decorators';
import { InWorkspace } from '../../access/caller';
import { Answers, CALLER_REFUSALS, RefusesWith } from '../../http/envelope';
import { JsonBody, TakesBodyOnce, TakesOnce } from '../../http/json-body';
import { nextCursor, PageQuery, pageOf, QueryOf } from '../../http/query';
import { ToWrite, type WriteCall } from '../../writes/writes.service';
import { ContentService } from './content.service';
import {
  ChangeArticleRequest,
  CreateArticleRequest,
  ArticleEntry,
  ArticlePage,
  ArticleRecord,
  NOTED_ARTICLES,
  OneArticle,
} from './knowledge.dto';

@ApiTags('Bots')
@RefusesWith(...CALLER_REFUSALS, 'NOT_FOUND')
@Controller('api/workspaces/:id/bots/:botId/knowledge')
export class ArticlesController {
  constructor(@Inject(ContentService) private readonly content: ContentService) {}

  @Get()
  @OnWorkspace('bots:read')
  @ApiOperation({
    operationId: 'listArticles',
    summary: 'What the bot knows and quotes from, without the texts, in the order of their making',
  })
  @Answers(ArticlePage)
  async list(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @QueryOf(PageQuery) query: PageQuery,
  ): Promise<ArticlePage> {
    const { items, next } = await this.content.list({ workspace, botId }, NOTED_ARTICLES, pageOf(query));
    return { articles: items.map((article) => ArticleEntry.of(article)), ...nextCursor(next) };
  }

  @Get(':articleId')
  @OnWorkspace('bots:read')
  @ApiOperation({ operationId: 'getArticle', summary: 'One article, with its text' })
  @Answers(OneArticle)
  async one(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('articleId') id: string,
  ): Promise<OneArticle> {
    return { article: ArticleRecord.of(await this.content.one({ workspace, botId }, NOTED_ARTICLES, id)) };
  }

  @Post()
  @OnWorkspace('bots:write')
  @ApiOperation({ operationId: 'createArticle', summary: 'Adds an article; visitors are answered from it at once' })
  @TakesBodyOnce(CreateArticleRequest)
  @Answers(OneArticle, 201)
  @RefusesWith('NAME_TAKEN', 'STATE_CONFLICT')
  async create(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @JsonBody(CreateArticleRequest) asked: CreateArticleRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneArticle> {
    return {
      article: await this.content.create(call, { workspace, botId }, NOTED_ARTICLES, asked, (article) =>
        ArticleRecord.of(article),
      ),
    };
  }

  @Patch(':articleId')
  @OnWorkspace('bots:write')
  @ApiOperation({ operationId: 'changeArticle', summary: 'Changes what is given' })
  @TakesBodyOnce(ChangeArticleRequest)
  @Answers(OneArticle)
  @RefusesWith('NAME_TAKEN')
  async change(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('articleId') id: string,
    @JsonBody(ChangeArticleRequest) asked: ChangeArticleRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneArticle> {
    return {
      article: await this.content.change(call, { workspace, botId }, NOTED_ARTICLES, id, asked, (article) =>
        ArticleRecord.of(article),
      ),
    };
  }

  @Delete(':articleId')
  @OnWorkspace('bots:write')
  @ApiOperation({ operationId: 'removeArticle', summary: 'Removes an article' })
  @TakesOnce()
  @Answers(OneArticle)
  async remove(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('articleId') id: string,
    @ToWrite() call: WriteCall,
  ): Promise<OneArticle> {
    return {
      article: await this.content.remove(call, { workspace, botId }, NOTED_ARTICLES, id, (article) =>
        ArticleRecord.of(article),
      ),
    };
  }
}
