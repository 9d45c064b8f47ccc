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
  ChangeShortcutRequest,
  CreateShortcutRequest,
  ShortcutPage,
  ShortcutRecord,
  NOTED_SHORTCUTS,
  OneShortcut,
} from './shortcuts.dto';

@ApiTags('Bots')
@RefusesWith(...CALLER_REFUSALS, 'NOT_FOUND')
@Controller('api/workspaces/:id/bots/:botId/shortcuts')
export class ShortcutsController {
  constructor(@Inject(ContentService) private readonly content: ContentService) {}

  @Get()
  @OnWorkspace('bots:read')
  @ApiOperation({ operationId: 'listShortcuts', summary: 'The shortcuts of a bot, in the order of their making' })
  @Answers(ShortcutPage)
  async list(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @QueryOf(PageQuery) query: PageQuery,
  ): Promise<ShortcutPage> {
    const { items, next } = await this.content.list({ workspace, botId }, NOTED_SHORTCUTS, pageOf(query));
    return { shortcuts: items.map((shortcut) => ShortcutRecord.of(shortcut)), ...nextCursor(next) };
  }

  @Get(':shortcutId')
  @OnWorkspace('bots:read')
  @ApiOperation({ operationId: 'getShortcut', summary: 'One shortcut' })
  @Answers(OneShortcut)
  async one(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('shortcutId') id: string,
  ): Promise<OneShortcut> {
    return { shortcut: ShortcutRecord.of(await this.content.one({ workspace, botId }, NOTED_SHORTCUTS, id)) };
  }

  @Post()
  @OnWorkspace('bots:write')
  @ApiOperation({ operationId: 'createShortcut', summary: 'Adds a shortcut' })
  @TakesBodyOnce(CreateShortcutRequest)
  @Answers(OneShortcut, 201)
  @RefusesWith('NAME_TAKEN', 'STATE_CONFLICT')
  async create(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @JsonBody(CreateShortcutRequest) asked: CreateShortcutRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneShortcut> {
    return {
      shortcut: await this.content.create(call, { workspace, botId }, NOTED_SHORTCUTS, asked, (shortcut) =>
        ShortcutRecord.of(shortcut),
      ),
    };
  }

  @Patch(':shortcutId')
  @OnWorkspace('bots:write')
  @ApiOperation({ operationId: 'changeShortcut', summary: 'Changes what is given' })
  @TakesBodyOnce(ChangeShortcutRequest)
  @Answers(OneShortcut)
  @RefusesWith('NAME_TAKEN')
  async change(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('shortcutId') id: string,
    @JsonBody(ChangeShortcutRequest) asked: ChangeShortcutRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneShortcut> {
    return {
      shortcut: await this.content.change(call, { workspace, botId }, NOTED_SHORTCUTS, id, asked, (shortcut) =>
        ShortcutRecord.of(shortcut),
      ),
    };
  }

  @Delete(':shortcutId')
  @OnWorkspace('bots:write')
  @ApiOperation({ operationId: 'removeShortcut', summary: 'Removes a shortcut' })
  @TakesOnce()
  @Answers(OneShortcut)
  async remove(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('shortcutId') id: string,
    @ToWrite() call: WriteCall,
  ): Promise<OneShortcut> {
    return {
      shortcut: await this.content.remove(call, { workspace, botId }, NOTED_SHORTCUTS, id, (shortcut) =>
        ShortcutRecord.of(shortcut),
      ),
    };
  }
}
