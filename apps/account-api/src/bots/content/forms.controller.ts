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
import { ChangeFormRequest, CreateFormRequest, FormPage, FormRecord, AUDITED_FORMS, OneForm } from './forms.dto';

@ApiTags('Bots')
@ApiErrors(...CALLER_ERRORS, 'NOT_FOUND')
@Controller('api/workspaces/:id/bots/:botId/forms')
export class FormsController {
  constructor(private readonly content: ContentService) {}

  @Get()
  @RequireWorkspacePermission('bots:read')
  @ApiOperation({ operationId: 'listForms', summary: 'List forms of a bot, sorted by creation time, oldest first' })
  @ApiData(FormPage)
  async list(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @ValidatedQuery(PageQuery) query: PageQuery,
  ): Promise<FormPage> {
    const { items, next } = await this.content.list({ workspace, botId }, AUDITED_FORMS, pageOf(query));
    return { forms: items.map((form) => FormRecord.of(form)), ...nextCursor(next) };
  }

  @Get(':formId')
  @RequireWorkspacePermission('bots:read')
  @ApiOperation({ operationId: 'getForm', summary: 'Get a form' })
  @ApiData(OneForm)
  async get(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('formId') id: string,
  ): Promise<OneForm> {
    return { form: FormRecord.of(await this.content.get({ workspace, botId }, AUDITED_FORMS, id)) };
  }

  @Post()
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({ operationId: 'createForm', summary: 'Create a form' })
  @ApiIdempotentBody(CreateFormRequest)
  @ApiData(OneForm, 201)
  @ApiErrors('NAME_TAKEN', 'STATE_CONFLICT')
  async create(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @JsonBody(CreateFormRequest) body: CreateFormRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneForm> {
    return {
      form: await this.content.create(write, { workspace, botId }, AUDITED_FORMS, body, (form) => FormRecord.of(form)),
    };
  }

  @Patch(':formId')
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({ operationId: 'changeForm', summary: 'Update a form' })
  @ApiIdempotentBody(ChangeFormRequest)
  @ApiData(OneForm)
  async update(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('formId') id: string,
    @JsonBody(ChangeFormRequest) body: ChangeFormRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneForm> {
    return {
      form: await this.content.update(write, { workspace, botId }, AUDITED_FORMS, id, body, (form) =>
        FormRecord.of(form),
      ),
    };
  }

  @Delete(':formId')
  @RequireWorkspacePermission('bots:write')
  @ApiOperation({ operationId: 'removeForm', summary: 'Delete a form' })
  @ApiIdempotent()
  @ApiData(OneForm)
  async remove(
    @CurrentWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('formId') id: string,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneForm> {
    return {
      form: await this.content.remove(write, { workspace, botId }, AUDITED_FORMS, id, (form) => FormRecord.of(form)),
    };
  }
}
