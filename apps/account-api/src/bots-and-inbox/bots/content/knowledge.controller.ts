import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Workspace, Write } from '@heliograph/tenancy';
import { RequireWorkspacePermission } from '../../../access/access.decorators';
import { CurrentWorkspace } from '../../../access/caller';
import { AccountOperation, IdempotentWrite } from '../../../http/envelope';
import { PageQuery } from '../../../http/page.query';
import { CurrentWrite } from '../../../unit-of-work/current-write';
import { ContentService } from './content.service';
import { ChangeArticleRequest, CreateArticleRequest, ArticlePage, ARTICLE_CONTENT, OneArticle } from './knowledge.dto';

@ApiTags('Bots')
@Controller('api/workspaces/:id/bots/:botId/knowledge')
export class ArticlesController {
  constructor(private readonly content: ContentService) {}

  @Get()
  @RequireWorkspacePermission('bots:read')
  @AccountOperation({
    id: 'listArticles',
    summary: 'List knowledge articles of a bot without their texts, sorted by creation time, oldest first',

    description: 'Get a single article for its text.',
    response: ArticlePage,
  })
  list(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Query() query: PageQuery,
  ): Promise<ArticlePage> {
    return this.content.list({ workspace, botId }, ARTICLE_CONTENT, query);
  }

  @Get(':articleId')
  @RequireWorkspacePermission('bots:read')
  @AccountOperation({
    id: 'getArticle',
    summary: 'Get a knowledge article with its text',
    description: 'Returns an article with its whole text.',
    response: OneArticle,
  })
  get(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('articleId') id: string,
  ): Promise<OneArticle> {
    return this.content.get({ workspace, botId }, ARTICLE_CONTENT, id);
  }

  @Post()
  @RequireWorkspacePermission('bots:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'createArticle',
    summary: 'Create a knowledge article, which the bot uses immediately',

    description: 'The bot finds passages of the article and replies with them.',
    status: 201,
    response: OneArticle,
    errors: ['NAME_TAKEN', 'LIMIT_REACHED'],
    sample: { body: { title: 'Gift wrapping', body: 'We wrap every order as a gift on request.' } },
  })
  create(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Body() body: CreateArticleRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneArticle> {
    return this.content.create(write, { workspace, botId }, ARTICLE_CONTENT, body);
  }

  @Patch(':articleId')
  @RequireWorkspacePermission('bots:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'changeArticle',
    summary: 'Update a knowledge article',

    description: 'The search uses the new text immediately.',
    response: OneArticle,
    errors: ['NAME_TAKEN'],
  })
  update(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('articleId') id: string,
    @Body() body: ChangeArticleRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneArticle> {
    return this.content.update(write, { workspace, botId }, ARTICLE_CONTENT, id, body);
  }

  @Delete(':articleId')
  @RequireWorkspacePermission('bots:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'removeArticle',
    summary: 'Delete a knowledge article',
    description: 'The bot does not use it any more.',
    response: OneArticle,
  })
  remove(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('articleId') id: string,
    @CurrentWrite() write: Write,
  ): Promise<OneArticle> {
    return this.content.remove(write, { workspace, botId }, ARTICLE_CONTENT, id);
  }
}
