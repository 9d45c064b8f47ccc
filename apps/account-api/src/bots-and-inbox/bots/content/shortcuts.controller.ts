import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Workspace, Write } from '@heliograph/tenancy';
import { Sample } from '@heliograph/service-kit';
import { RequireWorkspacePermission } from '../../../access/access.decorators';
import { CurrentWorkspace } from '../../../access/caller';
import { ApiData, IdempotentWrite } from '../../../http/envelope';
import { AccountApiErrors } from '../../../http/api-errors';
import { PageQuery } from '../../../http/page.query';
import { CurrentWrite } from '../../../unit-of-work/current-write';
import { ContentService } from './content.service';
import {
  ChangeShortcutRequest,
  CreateShortcutRequest,
  ShortcutPage,
  SHORTCUT_CONTENT,
  OneShortcut,
} from './shortcuts.dto';

@ApiTags('Bots')
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
  list(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Query() query: PageQuery,
  ): Promise<ShortcutPage> {
    return this.content.list({ workspace, botId }, SHORTCUT_CONTENT, query);
  }

  @Get(':shortcutId')
  @RequireWorkspacePermission('bots:read')
  @ApiOperation({ operationId: 'getShortcut', summary: 'Get a shortcut' })
  @ApiData(OneShortcut)
  get(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('shortcutId') id: string,
  ): Promise<OneShortcut> {
    return this.content.get({ workspace, botId }, SHORTCUT_CONTENT, id);
  }

  @Post()
  @RequireWorkspacePermission('bots:write')
  @Sample({
    body: {
      id: 'warranty',
      label: 'Warranty',
      command: '/warranty',
      description: 'Our warranty',
      type: 'faq',
      query: 'warranty',
    },
  })
  @ApiOperation({ operationId: 'createShortcut', summary: 'Create a shortcut' })
  @IdempotentWrite()
  @ApiData(OneShortcut, 201)
  @AccountApiErrors('NAME_TAKEN', 'LIMIT_REACHED')
  create(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Body() body: CreateShortcutRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneShortcut> {
    return this.content.create(write, { workspace, botId }, SHORTCUT_CONTENT, body);
  }

  @Patch(':shortcutId')
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({ operationId: 'changeShortcut', summary: 'Update a shortcut' })
  @IdempotentWrite()
  @ApiData(OneShortcut)
  @AccountApiErrors('NAME_TAKEN')
  update(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('shortcutId') id: string,
    @Body() body: ChangeShortcutRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneShortcut> {
    return this.content.update(write, { workspace, botId }, SHORTCUT_CONTENT, id, body);
  }

  @Delete(':shortcutId')
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({ operationId: 'removeShortcut', summary: 'Delete a shortcut' })
  @IdempotentWrite()
  @ApiData(OneShortcut)
  remove(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('shortcutId') id: string,
    @CurrentWrite() write: Write,
  ): Promise<OneShortcut> {
    return this.content.remove(write, { workspace, botId }, SHORTCUT_CONTENT, id);
  }
}
