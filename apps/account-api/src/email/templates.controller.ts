import { Controller, Delete, Get, Inject, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { InOrganization } from '../access/access.decorators';
import { ByCaller, type Caller } from '../access/caller';
import { Answers, CALLER_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBody, TakesBodyOnce } from '../http/json-body';
import { nextCursor, PageQuery, pageOf, QueryOf } from '../http/query';
import { ToWrite, type WriteCall } from '../writes/writes.service';
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
@RefusesWith(...CALLER_REFUSALS)
@Controller('api/organization/email/templates')
export class EmailTemplatesController {
  constructor(@Inject(EmailTemplatesService) private readonly templates: EmailTemplatesService) {}

  @Get()
  @InOrganization('email:read')
  @ApiOperation({
    operationId: 'listEmailTemplates',
    summary: 'The templates without their bodies, in the order of their making',
  })
  @Answers(EmailTemplatePage)
  async list(@ByCaller() caller: Caller, @QueryOf(PageQuery) query: PageQuery): Promise<EmailTemplatePage> {
    const { items, next } = await this.templates.list(caller, pageOf(query));
    return { templates: items.map((template) => EmailTemplateEntry.of(template)), ...nextCursor(next) };
  }

  @Get(':templateId')
  @InOrganization('email:read')
  @ApiOperation({ operationId: 'getEmailTemplate', summary: 'One template' })
  @Answers(OneEmailTemplate)
  @RefusesWith('NOT_FOUND')
  async one(@ByCaller() caller: Caller, @Param('templateId') id: string): Promise<OneEmailTemplate> {
    return { template: EmailTemplateRecord.of(await this.templates.one(caller, id)) };
  }

  @Post()
  @InOrganization('email:write')
  @ApiOperation({ operationId: 'createEmailTemplate', summary: 'Stores a template' })
  @TakesBodyOnce(CreateEmailTemplateRequest)
  @Answers(OneEmailTemplate, 201)
  @RefusesWith('INVALID_TEMPLATE', 'NAME_TAKEN')
  async create(
    @ByCaller() caller: Caller,
    @JsonBody(CreateEmailTemplateRequest) asked: CreateEmailTemplateRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneEmailTemplate> {
    return { template: await this.templates.create(call, caller, asked) };
  }

  @Patch(':templateId')
  @InOrganization('email:write')
  @ApiOperation({ operationId: 'changeEmailTemplate', summary: 'Changes what is given' })
  @TakesBodyOnce(ChangeEmailTemplateRequest)
  @Answers(OneEmailTemplate)
  @RefusesWith('NOT_FOUND', 'INVALID_TEMPLATE', 'NAME_TAKEN')
  async change(
    @ByCaller() caller: Caller,
    @Param('templateId') id: string,
    @JsonBody(ChangeEmailTemplateRequest) asked: ChangeEmailTemplateRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneEmailTemplate> {
    return { template: await this.templates.change(call, caller, id, asked) };
  }

  @Delete(':templateId')
  @InOrganization('email:write')
  @ApiOperation({ operationId: 'removeEmailTemplate', summary: 'Removes a template' })
  @Answers(OneEmailTemplate)
  @RefusesWith('NOT_FOUND')
  async remove(
    @ByCaller() caller: Caller,
    @Param('templateId') id: string,
    @ToWrite() call: WriteCall,
  ): Promise<OneEmailTemplate> {
    return { template: await this.templates.remove(call, caller, id) };
  }

  @Post('preview')
  @InOrganization('email:read', { evenWhenLocked: true })
  @ApiOperation({ operationId: 'previewEmail', summary: 'A mail that is not stored, filled; nothing is sent' })
  @TakesBody(PreviewEmailRequest)
  @Answers(EmailPreview)
  @RefusesWith('INVALID_TEMPLATE')
  preview(@JsonBody(PreviewEmailRequest) asked: PreviewEmailRequest): EmailPreview {
    return previewEmail(asked, asked.variables);
  }

  @Post(':templateId/preview')
  @InOrganization('email:read', { evenWhenLocked: true })
  @ApiOperation({ operationId: 'previewEmailTemplate', summary: 'A stored template, filled; nothing is sent' })
  @TakesBody(PreviewStoredEmailRequest)
  @Answers(EmailPreview)
  @RefusesWith('NOT_FOUND', 'INVALID_TEMPLATE')
  previewOne(
    @ByCaller() caller: Caller,
    @Param('templateId') id: string,
    @JsonBody(PreviewStoredEmailRequest) { variables }: PreviewStoredEmailRequest,
  ): Promise<EmailPreview> {
    return this.templates.preview(caller, id, variables);
  }
}
