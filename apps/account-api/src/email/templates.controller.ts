import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../access/access.decorators';
import { CurrentCaller, type Caller } from '../access/caller';
import { ApiData, CALLER_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiJsonBody, ApiIdempotentBody } from '../http/json-body';
import { nextCursor, PageQuery, pageOf, ValidatedQuery } from '../http/query';
import { CurrentWriteRequest, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import { previewEmail } from './preview-email';
import {
  ChangeEmailTemplateRequest,
  CreateEmailTemplateRequest,
  EmailPreview,
  EmailTemplateEntry,
  EmailTemplatePage,
  EmailTemplateRecord,
  OneEmailTemplate,
  PreviewEmailRequest,
  PreviewStoredEmailRequest,
} from './templates.dto';
import { EmailTemplatesService } from './templates.service';

@ApiTags('Email')
@ApiErrors(...CALLER_ERRORS)
@Controller('api/organization/email/templates')
export class EmailTemplatesController {
  constructor(private readonly templates: EmailTemplatesService) {}

  @Get()
  @RequirePermission('email:read')
  @ApiOperation({
    operationId: 'listEmailTemplates',
    summary: 'List templates without their bodies, sorted by creation time, oldest first',
  })
  @ApiData(EmailTemplatePage)
  async list(@CurrentCaller() caller: Caller, @ValidatedQuery(PageQuery) query: PageQuery): Promise<EmailTemplatePage> {
    const { items, next } = await this.templates.list(caller, pageOf(query));
    return { templates: items.map((template) => EmailTemplateEntry.of(template)), ...nextCursor(next) };
  }

  @Get(':templateId')
  @RequirePermission('email:read')
  @ApiOperation({ operationId: 'getEmailTemplate', summary: 'Get a template' })
  @ApiData(OneEmailTemplate)
  @ApiErrors('NOT_FOUND')
  async get(@CurrentCaller() caller: Caller, @Param('templateId') id: string): Promise<OneEmailTemplate> {
    return { template: EmailTemplateRecord.of(await this.templates.get(caller, id)) };
  }

  @Post()
  @RequirePermission('email:write')
  @ApiOperation({ operationId: 'createEmailTemplate', summary: 'Create a template' })
  @ApiIdempotentBody(CreateEmailTemplateRequest)
  @ApiData(OneEmailTemplate, 201)
  @ApiErrors('INVALID_TEMPLATE', 'NAME_TAKEN')
  async create(
    @CurrentCaller() caller: Caller,
    @JsonBody(CreateEmailTemplateRequest) body: CreateEmailTemplateRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneEmailTemplate> {
    return { template: await this.templates.create(write, caller, body) };
  }

  @Patch(':templateId')
  @RequirePermission('email:write')
  @ApiOperation({ operationId: 'changeEmailTemplate', summary: 'Update a template' })
  @ApiIdempotentBody(ChangeEmailTemplateRequest)
  @ApiData(OneEmailTemplate)
  @ApiErrors('NOT_FOUND', 'INVALID_TEMPLATE', 'NAME_TAKEN')
  async update(
    @CurrentCaller() caller: Caller,
    @Param('templateId') id: string,
    @JsonBody(ChangeEmailTemplateRequest) body: ChangeEmailTemplateRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneEmailTemplate> {
    return { template: await this.templates.update(write, caller, id, body) };
  }

  @Delete(':templateId')
  @RequirePermission('email:write')
  @ApiOperation({ operationId: 'removeEmailTemplate', summary: 'Delete a template' })
  @ApiData(OneEmailTemplate)
  @ApiErrors('NOT_FOUND')
  async remove(
    @CurrentCaller() caller: Caller,
    @Param('templateId') id: string,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneEmailTemplate> {
    return { template: await this.templates.remove(write, caller, id) };
  }

  @Post('preview')
  @RequirePermission('email:read', { evenWhenLocked: true })
  @ApiOperation({ operationId: 'previewEmail', summary: 'Preview an unsaved template with variables; nothing is sent' })
  @ApiJsonBody(PreviewEmailRequest)
  @ApiData(EmailPreview)
  @ApiErrors('INVALID_TEMPLATE')
  preview(@JsonBody(PreviewEmailRequest) body: PreviewEmailRequest): EmailPreview {
    return previewEmail(body, body.variables);
  }

  @Post(':templateId/preview')
  @RequirePermission('email:read', { evenWhenLocked: true })
  @ApiOperation({
    operationId: 'previewEmailTemplate',
    summary: 'Preview a stored template with variables; nothing is sent',
  })
  @ApiJsonBody(PreviewStoredEmailRequest)
  @ApiData(EmailPreview)
  @ApiErrors('NOT_FOUND', 'INVALID_TEMPLATE')
  previewOne(
    @CurrentCaller() caller: Caller,
    @Param('templateId') id: string,
    @JsonBody(PreviewStoredEmailRequest) { variables }: PreviewStoredEmailRequest,
  ): Promise<EmailPreview> {
    return this.templates.preview(caller, id, variables);
  }
}
