import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Workspace, Write } from '@heliograph/tenancy';
import { RequireWorkspacePermission } from '../../access/access.decorators';
import { CurrentWorkspace } from '../../access/caller';
import { AccountOperation, IdempotentWrite } from '../../http/envelope';
import { PageQuery, ForeignPageQuery } from '../../http/page.query';
import { CurrentWrite } from '../../unit-of-work/current-write';
import { BotPage, ChangeBotRequest, CreateBotRequest, OneBot, PublishRequest, VersionPage } from './bots.dto';
import { BotsService } from './bots.service';
import { BotPreview, PreviewBotRequest } from './preview.dto';
import { BotPreviews } from './preview.service';

@ApiTags('Bots')
@Controller('api/workspaces/:id/bots')
export class BotsController {
  constructor(
    private readonly bots: BotsService,
    private readonly previews: BotPreviews,
  ) {}

  @Get()
  @RequireWorkspacePermission('bots:read')
  @AccountOperation({
    id: 'listBots',
    summary: 'List bots, sorted by creation time, oldest first',
    description: 'Contains drafts and paused bots.',
    response: BotPage,
  })
  list(@CurrentWorkspace() workspace: Workspace, @Query() query: PageQuery): Promise<BotPage> {
    return this.bots.list(workspace, query);
  }

  @Get(':botId')
  @RequireWorkspacePermission('bots:read')
  @AccountOperation({
    id: 'getBot',
    summary: 'Get a bot by its public id',
    description: 'Returns the settings and the published version of a bot.',
    response: OneBot,
  })
  get(@CurrentWorkspace() workspace: Workspace, @Param('botId') botId: string): Promise<OneBot> {
    return this.bots.get(workspace, botId);
  }

  @Post()
  @RequireWorkspacePermission('bots:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'createBot',
    summary: 'Create a bot as a draft',

    description: 'Add FAQs, articles and forms, then publish the bot. Visitors cannot use a draft.',
    status: 201,
    response: OneBot,
    errors: ['SLUG_TAKEN', 'NAME_TAKEN', 'LIMIT_REACHED'],
    sample: { body: { id: 'bot_demo_sales', name: 'Demo Sales', slug: 'demo-sales', locale: 'en' } },
  })
  create(
    @CurrentWorkspace() workspace: Workspace,
    @Body() body: CreateBotRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneBot> {
    return this.bots.create(write, workspace, body);
  }

  @Patch(':botId')
  @RequireWorkspacePermission('bots:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'changeBot',
    summary: 'Update a bot',
    description: 'Visitors see the changes immediately.',
    response: OneBot,
    errors: ['SLUG_TAKEN'],
  })
  update(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Body() body: ChangeBotRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneBot> {
    return this.bots.update(write, workspace, botId, body);
  }

  @Delete(':botId')
  @RequireWorkspacePermission('bots:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'removeBot',
    summary: 'Delete a bot that was never published, with all of its content',

    description: 'A published bot cannot be deleted, because its conversations refer to it: pause it instead.',
    response: OneBot,
    errors: ['STATE_CONFLICT'],
    sample: {
      values: {
        botId: {
          create: '/api/workspaces/{id}/bots',
          body: { id: 'bot_temporary', name: 'Temporary', slug: 'temporary' },
        },
      },
    },
  })
  remove(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @CurrentWrite() write: Write,
  ): Promise<OneBot> {
    return this.bots.remove(write, workspace, botId);
  }

  @Get(':botId/versions')
  @RequireWorkspacePermission('bots:read')
  @AccountOperation({
    id: 'listBotVersions',
    summary: 'List published versions, newest first',
    description: 'Each publication is a version with a note and the time.',
    response: VersionPage,
  })
  versions(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Query() query: ForeignPageQuery,
  ): Promise<VersionPage> {
    return this.bots.versions(workspace, botId, query);
  }

  @Post(':botId/publish')
  @RequireWorkspacePermission('bots:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'publishBot',
    summary: 'Publish a new version of a bot',
    description: 'A draft becomes active.',
    status: 201,
    response: OneBot,
  })
  publish(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Body() body: PublishRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneBot> {
    return this.bots.publish(write, workspace, botId, body);
  }

  @Post(':botId/pause')
  @RequireWorkspacePermission('bots:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'pauseBot',
    summary: 'Pause a bot, so that visitors can no longer use it',

    description: 'Visitors see that the chat is not available. Conversations remain in the inbox.',
    response: OneBot,
    errors: ['STATE_CONFLICT'],
  })
  pause(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @CurrentWrite() write: Write,
  ): Promise<OneBot> {
    return this.bots.pause(write, workspace, botId);
  }

  @Post(':botId/resume')
  @RequireWorkspacePermission('bots:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'resumeBot',
    summary: 'Resume a paused bot',
    description: 'Visitors can use the latest published version again.',
    response: OneBot,
    errors: ['STATE_CONFLICT'],
  })
  resume(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @CurrentWrite() write: Write,
  ): Promise<OneBot> {
    return this.bots.resume(write, workspace, botId);
  }

  @Post(':botId/preview')
  @RequireWorkspacePermission('bots:read', { evenWhenLocked: true })
  @AccountOperation({
    id: 'previewBot',
    summary: 'Preview the search results for a message',
    description: 'Returns the results with their scores. Nothing is sent or stored.',
    response: BotPreview,
  })
  preview(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Body() { message }: PreviewBotRequest,
  ): Promise<BotPreview> {
    return this.previews.preview(workspace, botId, message);
  }
}
