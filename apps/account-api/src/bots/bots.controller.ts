import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Workspace } from '@heliograph/tenancy';
import { RequireWorkspacePermission } from '../access/access.decorators';
import { CurrentWorkspace } from '../access/caller';
import { ApiData, CALLER_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiJsonBody, ApiIdempotentBody, ApiIdempotent } from '../http/json-body';
import { ForeignPageQuery, nextCursor, PageQuery, pageOf, ValidatedQuery } from '../http/query';
import { CurrentWriteRequest, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import {
  BotPage,
  BotRecord,
  ChangeBotRequest,
  CreateBotRequest,
  OneBot,
  PublishRequest,
  VersionPage,
  VersionRecord,
} from './bots.dto';
import { BotsService } from './bots.service';
import { BotPreview, PreviewBotRequest } from './preview.dto';
import { BotPreviews } from './preview.service';

@ApiTags('Bots')
@ApiErrors(...CALLER_ERRORS, 'NOT_FOUND')
@Controller('api/workspaces/:id/bots')
export class BotsController {
  constructor(
    private readonly bots: BotsService,
    private readonly previews: BotPreviews,
  ) {}

  @Get()
  @RequireWorkspacePermission('bots:read')
  @ApiOperation({ operationId: 'listBots', summary: 'List bots, sorted by creation time, oldest first' })
  @ApiData(BotPage)
  async list(@CurrentWorkspace() workspace: Workspace, @ValidatedQuery(PageQuery) query: PageQuery): Promise<BotPage> {
    const { items, next } = await this.bots.list(workspace, pageOf(query));
    return { bots: items.map((bot) => BotRecord.of(bot)), ...nextCursor(next) };
  }

  @Get(':botId')
  @RequireWorkspacePermission('bots:read')
  @ApiOperation({ operationId: 'getBot', summary: 'Get a bot by its public id' })
  @ApiData(OneBot)
  async get(@CurrentWorkspace() workspace: Workspace, @Param('botId') botId: string): Promise<OneBot> {
    return { bot: BotRecord.of(await this.bots.get(workspace, botId)) };
  }

  @Post()
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({ operationId: 'createBot', summary: 'Create a bot as a draft' })
  @ApiIdempotentBody(CreateBotRequest)
  @ApiData(OneBot, 201)
  @ApiErrors('SLUG_TAKEN', 'NAME_TAKEN')
  async create(
    @CurrentWorkspace() workspace: Workspace,
    @JsonBody(CreateBotRequest) body: CreateBotRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneBot> {
    return { bot: await this.bots.create(write, workspace, body) };
  }

  @Patch(':botId')
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({ operationId: 'changeBot', summary: 'Update a bot; visitors see the changes immediately' })
  @ApiIdempotentBody(ChangeBotRequest)
  @ApiData(OneBot)
  @ApiErrors('SLUG_TAKEN')
  async update(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @JsonBody(ChangeBotRequest) body: ChangeBotRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneBot> {
    return { bot: await this.bots.update(write, workspace, botId, body) };
  }

  @Delete(':botId')
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({ operationId: 'removeBot', summary: 'Delete a bot that was never published, with all of its content' })
  @ApiData(OneBot)
  @ApiErrors('STATE_CONFLICT')
  async remove(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneBot> {
    return { bot: await this.bots.remove(write, workspace, botId) };
  }

  @Get(':botId/versions')
  @RequireWorkspacePermission('bots:read')
  @ApiOperation({ operationId: 'listBotVersions', summary: 'List published versions, newest first' })
  @ApiData(VersionPage)
  async versions(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @ValidatedQuery(ForeignPageQuery) query: ForeignPageQuery,
  ): Promise<VersionPage> {
    const { items, next } = await this.bots.versions(workspace, botId, pageOf(query));
    return { versions: items.map((version) => VersionRecord.of(version)), ...nextCursor(next) };
  }

  @Post(':botId/publish')
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({ operationId: 'publishBot', summary: 'Publish a new version; a draft becomes active' })
  @ApiIdempotentBody(PublishRequest)
  @ApiData(OneBot, 201)
  async publish(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @JsonBody(PublishRequest) body: PublishRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneBot> {
    return { bot: await this.bots.publish(write, workspace, botId, body) };
  }

  @Post(':botId/pause')
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({ operationId: 'pauseBot', summary: 'Pause a bot, so that visitors can no longer use it' })
  @ApiIdempotent()
  @ApiData(OneBot)
  @ApiErrors('STATE_CONFLICT')
  async pause(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneBot> {
    return { bot: await this.bots.pause(write, workspace, botId) };
  }

  @Post(':botId/resume')
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({ operationId: 'resumeBot', summary: 'Resume a paused bot' })
  @ApiIdempotent()
  @ApiData(OneBot)
  @ApiErrors('STATE_CONFLICT')
  async resume(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneBot> {
    return { bot: await this.bots.resume(write, workspace, botId) };
  }

  @Post(':botId/preview')
  @RequireWorkspacePermission('bots:read', { evenWhenLocked: true })
  @ApiOperation({
    operationId: 'previewBot',
    summary: 'Preview the search results for a message, with scores; nothing is sent or stored',
  })
  @ApiJsonBody(PreviewBotRequest)
  @ApiData(BotPreview)
  preview(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @JsonBody(PreviewBotRequest) { message }: PreviewBotRequest,
  ): Promise<BotPreview> {
    return this.previews.preview(workspace, botId, message);
  }
}
