import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Workspace, Write } from '@heliograph/tenancy';
import { RequireWorkspacePermission } from '../../../access/access.decorators';
import { CurrentWorkspace } from '../../../access/caller';
import { AccountOperation, IdempotentWrite } from '../../../http/envelope';
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
  @AccountOperation({
    id: 'listShortcuts',
    summary: 'List shortcuts of a bot, sorted by creation time, oldest first',

    description: 'Shortcuts are shown to visitors in their display order.',
    response: ShortcutPage,
  })
  list(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Query() query: PageQuery,
  ): Promise<ShortcutPage> {
    return this.content.list({ workspace, botId }, SHORTCUT_CONTENT, query);
  }

  @Get(':shortcutId')
  @RequireWorkspacePermission('bots:read')
  @AccountOperation({
    id: 'getShortcut',
    summary: 'Get a shortcut',
    description: 'Returns a shortcut with its action.',
    response: OneShortcut,
  })
  get(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('shortcutId') id: string,
  ): Promise<OneShortcut> {
    return this.content.get({ workspace, botId }, SHORTCUT_CONTENT, id);
  }

  @Post()
  @RequireWorkspacePermission('bots:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'createShortcut',
    summary: 'Create a shortcut',

    description: 'Visitors choose it by a button or type its command.',
    status: 201,
    response: OneShortcut,
    errors: ['NAME_TAKEN', 'LIMIT_REACHED'],
    sample: {
      body: {
        id: 'warranty',
        label: 'Warranty',
        command: '/warranty',
        description: 'Our warranty',
        type: 'faq',
        query: 'warranty',
      },
    },
  })
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
  @IdempotentWrite()
  @AccountOperation({
    id: 'changeShortcut',
    summary: 'Update a shortcut',

    description: 'New conversations show the change.',
    response: OneShortcut,
    errors: ['NAME_TAKEN'],
  })
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
  @IdempotentWrite()
  @AccountOperation({
    id: 'removeShortcut',
    summary: 'Delete a shortcut',
    description: 'New conversations do not offer it any more.',
    response: OneShortcut,
  })
  remove(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('shortcutId') id: string,
    @CurrentWrite() write: Write,
  ): Promise<OneShortcut> {
    return this.content.remove(write, { workspace, botId }, SHORTCUT_CONTENT, id);
  }
}
