import { Controller, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../access/access.decorators';
import { CurrentCaller, type Caller } from '../access/caller';
import { ApiData, CALLER_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiJsonBody, ApiIdempotentBody } from '../http/json-body';
import { nextCursor, pageOf, ValidatedQuery } from '../http/query';
import { CurrentWriteRequest, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import { RegistrationsService } from './registrations.service';
import {
  ChangeTemplateRequest,
  CreateTemplateRequest,
  TemplateAnswer,
  OneTemplate,
  TemplatePage,
  RegistrationQuery,
} from './sms.dto';
import { Preview, PreviewRequest } from './template-preview.dto';

@ApiTags('SMS')
@ApiErrors(...CALLER_ERRORS)
@Controller('api/organization/sms/templates')
export class TemplatesController {
  constructor(private readonly registrations: RegistrationsService) {}

  @Get()
  @RequirePermission('sms:read')
  @ApiOperation({ operationId: 'listTemplates', summary: 'List SMS templates, sorted by creation time, oldest first' })
  @ApiData(TemplatePage)
  @ApiErrors('VALIDATION_ERROR')
  async list(
    @CurrentCaller() caller: Caller,
    @ValidatedQuery(RegistrationQuery) query: RegistrationQuery,
  ): Promise<TemplatePage> {
    const { items, next } = await this.registrations.templates(caller, pageOf(query), query);
    return { templates: items.map((entry) => TemplateAnswer.of(entry)), ...nextCursor(next) };
  }

  @Get(':entryId')
  @RequirePermission('sms:read')
  @ApiOperation({ operationId: 'getTemplate', summary: 'Get an SMS template' })
  @ApiData(OneTemplate)
  @ApiErrors('NOT_FOUND')
  async get(@CurrentCaller() caller: Caller, @Param('entryId') id: string): Promise<OneTemplate> {
    return { template: TemplateAnswer.of(await this.registrations.template(caller, id)) };
  }

  @Post()
  @RequirePermission('sms:write')
  @ApiOperation({ operationId: 'createTemplate', summary: 'Register an SMS template' })
  @ApiIdempotentBody(CreateTemplateRequest)
  @ApiData(OneTemplate, 201)
  @ApiErrors('NOT_FOUND', 'NAME_TAKEN')
  async create(
    @CurrentCaller() caller: Caller,
    @JsonBody(CreateTemplateRequest) body: CreateTemplateRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneTemplate> {
    return { template: await this.registrations.createTemplate(write, caller, body) };
  }

  @Patch(':entryId')
  @RequirePermission('sms:write')
  @ApiOperation({ operationId: 'changeTemplate', summary: 'Update an SMS template' })
  @ApiIdempotentBody(ChangeTemplateRequest)
  @ApiData(OneTemplate)
  @ApiErrors('NOT_FOUND', 'NAME_TAKEN')
  async update(
    @CurrentCaller() caller: Caller,
    @Param('entryId') id: string,
    @JsonBody(ChangeTemplateRequest) body: ChangeTemplateRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneTemplate> {
    return { template: await this.registrations.changeTemplate(write, caller, id, body) };
  }

  @Post('preview')
  @RequirePermission('sms:read', { evenWhenLocked: true })
  @ApiOperation({
    operationId: 'previewTemplate',
    summary: 'Preview the text, segments and cost of a message; nothing is sent',
  })
  @ApiJsonBody(PreviewRequest)
  @ApiData(Preview)
  preview(@JsonBody(PreviewRequest) body: PreviewRequest): Promise<Preview> {
    return this.registrations.preview(body);
  }
}
