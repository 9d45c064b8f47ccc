import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Workspace, Write } from '@heliograph/tenancy';
import { RequireWorkspacePermission } from '../../../access/access.decorators';
import { CurrentWorkspace } from '../../../access/caller';
import { ApiData, IdempotentWrite } from '../../../http/envelope';
import { AccountApiErrors } from '../../../http/api-errors';
import { PageQuery } from '../../../http/page.query';
import { CurrentWrite } from '../../../unit-of-work/current-write';
import { ContentService } from './content.service';
import { Sample } from '@heliograph/service-kit';
import { ChangeFormRequest, CreateFormRequest, FormPage, FORM_CONTENT, OneForm } from './forms.dto';

@ApiTags('Bots')
@Controller('api/workspaces/:id/bots/:botId/forms')
export class FormsController {
  constructor(private readonly content: ContentService) {}

  @Get()
  @RequireWorkspacePermission('bots:read')
  @ApiOperation({ operationId: 'listForms', summary: 'List forms of a bot, sorted by creation time, oldest first' })
  @ApiData(FormPage)
  list(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Query() query: PageQuery,
  ): Promise<FormPage> {
    return this.content.list({ workspace, botId }, FORM_CONTENT, query);
  }

  @Get(':formId')
  @RequireWorkspacePermission('bots:read')
  @ApiOperation({ operationId: 'getForm', summary: 'Get a form' })
  @ApiData(OneForm)
  get(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('formId') id: string,
  ): Promise<OneForm> {
    return this.content.get({ workspace, botId }, FORM_CONTENT, id);
  }

  @Post()
  @RequireWorkspacePermission('bots:write')
  @Sample({
    body: {
      id: 'callback',
      title: 'Request a call',
      fields: [{ key: 'phone', label: 'Your phone number', type: 'phone', required: true }],
      confirmation: 'Thank you. We call you back.',
    },
  })
  @ApiOperation({ operationId: 'createForm', summary: 'Create a form' })
  @IdempotentWrite()
  @ApiData(OneForm, 201)
  @AccountApiErrors('NAME_TAKEN', 'LIMIT_REACHED')
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
  @ApiOperation({ operationId: 'changeForm', summary: 'Update a form' })
  @IdempotentWrite()
  @ApiData(OneForm)
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
  @ApiOperation({ operationId: 'removeForm', summary: 'Delete a form' })
  @IdempotentWrite()
  @ApiData(OneForm)
  remove(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('formId') id: string,
    @CurrentWrite() write: Write,
  ): Promise<OneForm> {
    return this.content.remove(write, { workspace, botId }, FORM_CONTENT, id);
  }
}
