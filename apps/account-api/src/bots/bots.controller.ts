import { Controller, Delete, Get, Inject, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Workspace } from '@heliograph/tenancy';
import { OnWorkspace } from '../access/access.decorators';
import { InWorkspace } from '../access/caller';
import { Answers, CALLER_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBody, TakesBodyOnce, TakesOnce } from '../http/json-body';
import { ForeignPageQuery, nextCursor, PageQuery, pageOf, QueryOf } from '../http/query';
import { ToWrite, type WriteCall } from '../writes/writes.service';
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
@RefusesWith(...CALLER_REFUSALS, 'NOT_FOUND')
@Controller('api/workspaces/:id/bots')
export class BotsController {
  constructor(
    @Inject(BotsService) private readonly bots: BotsService,
    @Inject(BotPreviews) private readonly previews: BotPreviews,
  ) {}

  @Get()
  @OnWorkspace('bots:read')
  @ApiOperation({ operationId: 'listBots', summary: 'The bots, in the order of their making' })
  @Answers(BotPage)
  async list(@InWorkspace() workspace: Workspace, @QueryOf(PageQuery) query: PageQuery): Promise<BotPage> {
    const { items, next } = await this.bots.list(workspace, pageOf(query));
    return { bots: items.map((bot) => BotRecord.of(bot)), ...nextCursor(next) };
  }

  @Get(':botId')
  @OnWorkspace('bots:read')
  @ApiOperation({ operationId: 'getBot', summary: 'One bot, by its public id' })
  @Answers(OneBot)
  async one(@InWorkspace() workspace: Workspace, @Param('botId') botId: string): Promise<OneBot> {
    return { bot: BotRecord.of(await this.bots.one(workspace, botId)) };
  }

  @Post()
  @OnWorkspace('bots:write')
  @ApiOperation({ operationId: 'createBot', summary: 'Makes a bot: a draft, until it is published' })
  @TakesBodyOnce(CreateBotRequest)
  @Answers(OneBot, 201)
  @RefusesWith('SLUG_TAKEN', 'NAME_TAKEN')
  async create(
    @InWorkspace() workspace: Workspace,
    @JsonBody(CreateBotRequest) asked: CreateBotRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneBot> {
    return { bot: await this.bots.create(call, workspace, asked) };
  }

  @Patch(':botId')
  @OnWorkspace('bots:write')
  @ApiOperation({ operationId: 'changeBot', summary: 'Changes what is given; visitors see it at once' })
  @TakesBodyOnce(ChangeBotRequest)
  @Answers(OneBot)
  @RefusesWith('SLUG_TAKEN')
  async change(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @JsonBody(ChangeBotRequest) asked: ChangeBotRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneBot> {
    return { bot: await this.bots.change(call, workspace, botId, asked) };
  }

  @Delete(':botId')
  @OnWorkspace('bots:write')
  @ApiOperation({ operationId: 'removeBot', summary: 'Removes a bot that was never published, with all it knows' })
  @Answers(OneBot)
  @RefusesWith('STATE_CONFLICT')
  async remove(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @ToWrite() call: WriteCall,
  ): Promise<OneBot> {
    return { bot: await this.bots.remove(call, workspace, botId) };
  }

  @Get(':botId/versions')
  @OnWorkspace('bots:read')
  @ApiOperation({ operationId: 'listBotVersions', summary: 'What was published, newest first' })
  @Answers(VersionPage)
  async versions(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @QueryOf(ForeignPageQuery) query: ForeignPageQuery,
  ): Promise<VersionPage> {
    const { items, next } = await this.bots.versions(workspace, botId, pageOf(query));
    return { versions: items.map((version) => VersionRecord.of(version)), ...nextCursor(next) };
  }

  @Post(':botId/publish')
  @OnWorkspace('bots:write')
  @ApiOperation({ operationId: 'publishBot', summary: 'Publishes the next version; a draft becomes active' })
  @TakesBodyOnce(PublishRequest)
  @Answers(OneBot, 201)
  async publish(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @JsonBody(PublishRequest) asked: PublishRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneBot> {
    return { bot: await this.bots.publish(call, workspace, botId, asked) };
  }

  @Post(':botId/pause')
  @OnWorkspace('bots:write')
  @ApiOperation({ operationId: 'pauseBot', summary: 'Takes the bot away from visitors' })
  @TakesOnce()
  @Answers(OneBot)
  @RefusesWith('STATE_CONFLICT')
  async pause(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @ToWrite() call: WriteCall,
  ): Promise<OneBot> {
    return { bot: await this.bots.pause(call, workspace, botId) };
  }

  @Post(':botId/resume')
  @OnWorkspace('bots:write')
  @ApiOperation({ operationId: 'resumeBot', summary: 'Gives a paused bot back to visitors' })
  @TakesOnce()
  @Answers(OneBot)
  @RefusesWith('STATE_CONFLICT')
  async resume(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @ToWrite() call: WriteCall,
  ): Promise<OneBot> {
    return { bot: await this.bots.resume(call, workspace, botId) };
  }

  @Post(':botId/preview')
  @OnWorkspace('bots:read', { evenWhenLocked: true })
  @ApiOperation({
    operationId: 'previewBot',
    summary: 'What the bot finds for a message, and why; nothing is sent or stored',
  })
  @TakesBody(PreviewBotRequest)
  @Answers(BotPreview)
  preview(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @JsonBody(PreviewBotRequest) { message }: PreviewBotRequest,
  ): Promise<BotPreview> {
    return this.previews.preview(workspace, botId, message);
  }
}
