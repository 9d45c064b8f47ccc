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
import { ChangeFormRequest, CreateFormRequest, FormPage, FormRecord, NOTED_FORMS, OneForm } from './forms.dto';

@ApiTags('Bots')
@RefusesWith(...CALLER_REFUSALS, 'NOT_FOUND')
@Controller('api/workspaces/:id/bots/:botId/forms')
export class FormsController {
  constructor(@Inject(ContentService) private readonly content: ContentService) {}

  @Get()
  @OnWorkspace('bots:read')
  @ApiOperation({ operationId: 'listForms', summary: 'The forms of a bot, in the order of their making' })
  @Answers(FormPage)
  async list(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @QueryOf(PageQuery) query: PageQuery,
  ): Promise<FormPage> {
    const { items, next } = await this.content.list({ workspace, botId }, NOTED_FORMS, pageOf(query));
    return { forms: items.map((form) => FormRecord.of(form)), ...nextCursor(next) };
  }

  @Get(':formId')
  @OnWorkspace('bots:read')
  @ApiOperation({ operationId: 'getForm', summary: 'One form' })
  @Answers(OneForm)
  async one(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('formId') id: string,
  ): Promise<OneForm> {
    return { form: FormRecord.of(await this.content.one({ workspace, botId }, NOTED_FORMS, id)) };
  }

  @Post()
  @OnWorkspace('bots:write')
  @ApiOperation({ operationId: 'createForm', summary: 'Adds a form' })
  @TakesBodyOnce(CreateFormRequest)
  @Answers(OneForm, 201)
  @RefusesWith('NAME_TAKEN', 'STATE_CONFLICT')
  async create(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @JsonBody(CreateFormRequest) asked: CreateFormRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneForm> {
    return {
      form: await this.content.create(call, { workspace, botId }, NOTED_FORMS, asked, (form) => FormRecord.of(form)),
    };
  }

  @Patch(':formId')
  @OnWorkspace('bots:write')
  @ApiOperation({ operationId: 'changeForm', summary: 'Changes what is given' })
  @TakesBodyOnce(ChangeFormRequest)
  @Answers(OneForm)
  async change(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('formId') id: string,
    @JsonBody(ChangeFormRequest) asked: ChangeFormRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneForm> {
    return {
      form: await this.content.change(call, { workspace, botId }, NOTED_FORMS, id, asked, (form) =>
        FormRecord.of(form),
      ),
    };
  }

  @Delete(':formId')
  @OnWorkspace('bots:write')
  @ApiOperation({ operationId: 'removeForm', summary: 'Removes a form' })
  @TakesOnce()
  @Answers(OneForm)
  async remove(
    @InWorkspace() workspace: Workspace,
    @Param('botId') botId: string,
    @Param('formId') id: string,
    @ToWrite() call: WriteCall,
  ): Promise<OneForm> {
    return {
      form: await this.content.remove(call, { workspace, botId }, NOTED_FORMS, id, (form) => FormRecord.of(form)),
    };
  }
}
