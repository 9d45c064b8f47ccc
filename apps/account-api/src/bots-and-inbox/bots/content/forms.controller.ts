import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Workspace, Write } from '@heliograph/tenancy';
import { RequireWorkspacePermission } from '../../../access/access.decorators';
import { CurrentWorkspace } from '../../../access/caller';
import { AccountOperation, IdempotentWrite } from '../../../http/envelope';
import { PageQuery } from '../../../http/page.query';
import { CurrentWrite } from '../../../unit-of-work/current-write';
import { ContentService } from './content.service';
import { ChangeFormRequest, CreateFormRequest, FormPage, FORM_CONTENT, OneForm } from './forms.dto';

@ApiTags('Bots')
@Controller('api/workspaces/:id/bots/:botId/forms')
export class FormsController {
  constructor(private readonly content: ContentService) {}

  @Get()
  @RequireWorkspacePermission('bots:read')
  @AccountOperation({
    id: 'listForms',
    summary: 'List forms of a bot, sorted by creation time, oldest first',

    description: 'Contains forms that are not published.',
    response: FormPage,
  })
  list(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Query() query: PageQuery,
  ): Promise<FormPage> {
    return this.content.list({ workspace, botId }, FORM_CONTENT, query);
  }

  @Get(':formId')
  @RequireWorkspacePermission('bots:read')
  @AccountOperation({
    id: 'getForm',
    summary: 'Get a form',
    description: 'Returns a form with its fields and its trigger.',
    response: OneForm,
  })
  get(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('formId') id: string,
  ): Promise<OneForm> {
    return this.content.get({ workspace, botId }, FORM_CONTENT, id);
  }

  @Post()
  @RequireWorkspacePermission('bots:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'createForm',
    summary: 'Create a form',

    description: 'The bot shows the form when its trigger matches.',
    status: 201,
    response: OneForm,
    errors: ['NAME_TAKEN', 'LIMIT_REACHED'],
    sample: {
      body: {
        id: 'callback',
        title: 'Request a call',
        fields: [{ key: 'phone', label: 'Your phone number', type: 'phone', required: true }],
        confirmation: 'Thank you. We call you back.',
      },
    },
  })
  create(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Body() body: CreateFormRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneForm> {
    return this.content.create(write, { workspace, botId }, FORM_CONTENT, body);
  }

  @Patch(':formId')
  @RequireWorkspacePermission('bots:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'changeForm',
    summary: 'Update a form',
    description: 'Submissions of the earlier fields remain.',
    response: OneForm,
  })
  update(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('formId') id: string,
    @Body() body: ChangeFormRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneForm> {
    return this.content.update(write, { workspace, botId }, FORM_CONTENT, id, body);
  }

  @Delete(':formId')
  @RequireWorkspacePermission('bots:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'removeForm',
    summary: 'Delete a form',
    description: 'Submissions remain in the inbox.',
    response: OneForm,
  })
  remove(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('formId') id: string,
    @CurrentWrite() write: Write,
  ): Promise<OneForm> {
    return this.content.remove(write, { workspace, botId }, FORM_CONTENT, id);
  }
}
