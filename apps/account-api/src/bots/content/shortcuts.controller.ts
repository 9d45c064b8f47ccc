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
  ChangeShortcutRequest,
  CreateShortcutRequest,
  ShortcutPage,
  ShortcutRecord,
  AUDITED_SHORTCUTS,
  OneShortcut,
} from './shortcuts.dto';

@ApiTags('Bots')
@ApiErrors(...CALLER_ERRORS, 'NOT_FOUND')
@Controller('api/workspaces/:id/bots/:botId/shortcuts')
export class ShortcutsController {
  constructor(private readonly content: ContentService) {}

  @Get()
  @RequireWorkspacePermission('bots:read')
  @ApiOperation({
    operationId: 'listShortcuts',
    summary: 'List shortcuts of a bot, sorted by creation time, oldest first',
  })
  @ApiData(ShortcutPage)
  async list(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @ValidatedQuery(PageQuery) query: PageQuery,
  ): Promise<ShortcutPage> {
    const { items, next } = await this.content.list({ workspace, botId }, AUDITED_SHORTCUTS, pageOf(query));
    return { shortcuts: items.map((shortcut) => ShortcutRecord.of(shortcut)), ...nextCursor(next) };
  }

  @Get(':shortcutId')
  @RequireWorkspacePermission('bots:read')
  @ApiOperation({ operationId: 'getShortcut', summary: 'Get a shortcut' })
  @ApiData(OneShortcut)
  async get(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('shortcutId') id: string,
  ): Promise<OneShortcut> {
    return { shortcut: ShortcutRecord.of(await this.content.get({ workspace, botId }, AUDITED_SHORTCUTS, id)) };
  }

  @Post()
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({ operationId: 'createShortcut', summary: 'Create a shortcut' })
  @ApiIdempotentBody(CreateShortcutRequest)
  @ApiData(OneShortcut, 201)
  @ApiErrors('NAME_TAKEN', 'STATE_CONFLICT')
  async create(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @JsonBody(CreateShortcutRequest) body: CreateShortcutRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneShortcut> {
    return {
      shortcut: await this.content.create(write, { workspace, botId }, AUDITED_SHORTCUTS, body, (shortcut) =>
        ShortcutRecord.of(shortcut),
      ),
    };
  }

  @Patch(':shortcutId')
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({ operationId: 'changeShortcut', summary: 'Update a shortcut' })
  @ApiIdempotentBody(ChangeShortcutRequest)
  @ApiData(OneShortcut)
  @ApiErrors('NAME_TAKEN')
  async update(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('shortcutId') id: string,
    @JsonBody(ChangeShortcutRequest) body: ChangeShortcutRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneShortcut> {
    return {
      shortcut: await this.content.update(write, { workspace, botId }, AUDITED_SHORTCUTS, id, body, (shortcut) =>
        ShortcutRecord.of(shortcut),
      ),
    };
  }

  @Delete(':shortcutId')
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({ operationId: 'removeShortcut', summary: 'Delete a shortcut' })
  @ApiIdempotent()
  @ApiData(OneShortcut)
  async remove(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('shortcutId') id: string,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneShortcut> {
    return {
      shortcut: await this.content.remove(write, { workspace, botId }, AUDITED_SHORTCUTS, id, (shortcut) =>
        ShortcutRecord.of(shortcut),
      ),
    };
  }
}
