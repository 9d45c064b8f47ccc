import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequirePermission } from '../../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../../access/caller';
import { ApiData, IdempotentWrite } from '../../../http/envelope';
import { AccountApiErrors } from '../../../http/api-errors';
import { PageQuery } from '../../../http/page.query';
import { CurrentWrite } from '../../../unit-of-work/current-write';
import { previewEmail } from './preview-email';
import {
  ChangeEmailTemplateRequest,
  CreateEmailTemplateRequest,
  EmailPreview,
  EmailTemplatePage,
  OneEmailTemplate,
  PreviewEmailRequest,
  PreviewStoredEmailRequest,
} from './templates.dto';
import { Sample } from '@heliograph/service-kit';
import { EmailTemplatesService } from './templates.service';

@ApiTags('Email')
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
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<EmailTemplatePage> {
    return this.templates.list(caller, query);
  }

  @Get(':templateId')
  @RequirePermission('email:read')
  @ApiOperation({ operationId: 'getEmailTemplate', summary: 'Get a template' })
  @ApiData(OneEmailTemplate)
  @AccountApiErrors('NOT_FOUND')
  get(@CurrentCaller() caller: Caller, @Param('templateId') id: string): Promise<OneEmailTemplate> {
    return this.templates.get(caller, id);
  }

  @Post()
  @RequirePermission('email:write')
  @Sample({
    body: {
      slug: 'order-delivered',
      name: 'Order delivered',
      subject: 'Order {{ number }} has arrived',
      html: '<p>Hello {{ name }}</p>',
    },
  })
  @ApiOperation({ operationId: 'createEmailTemplate', summary: 'Create a template' })
  @IdempotentWrite()
  @ApiData(OneEmailTemplate, 201)
  @AccountApiErrors('INVALID_TEMPLATE', 'NAME_TAKEN', 'LIMIT_REACHED')
  create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateEmailTemplateRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneEmailTemplate> {
    return this.templates.create(write, caller, body);
  }

  @Patch(':templateId')
  @RequirePermission('email:write')
  @Sample({ body: { subject: 'Hello {{ name }}' } })
  @ApiOperation({ operationId: 'changeEmailTemplate', summary: 'Update a template' })
  @IdempotentWrite()
  @ApiData(OneEmailTemplate)
  @AccountApiErrors('NOT_FOUND', 'INVALID_TEMPLATE', 'NAME_TAKEN')
  update(
    @CurrentCaller() caller: Caller,
    @Param('templateId') id: string,
    @Body() body: ChangeEmailTemplateRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneEmailTemplate> {
    return this.templates.update(write, caller, id, body);
  }

  @Delete(':templateId')
  @RequirePermission('email:write')
  @Sample({
    values: {
      templateId: {
        create: '/api/organization/email/templates',
        body: { slug: 'temporary', name: 'Temporary', subject: 'Temporary', text: 'Temporary' },
      },
    },
  })
  @ApiOperation({ operationId: 'removeEmailTemplate', summary: 'Delete a template' })
  @IdempotentWrite()
  @ApiData(OneEmailTemplate)
  @AccountApiErrors('NOT_FOUND')
  remove(
    @CurrentCaller() caller: Caller,
    @Param('templateId') id: string,
    @CurrentWrite() write: Write,
  ): Promise<OneEmailTemplate> {
    return this.templates.remove(write, caller, id);
  }

  @Post('preview')
  @RequirePermission('email:read', { evenWhenLocked: true })
  @ApiOperation({
    operationId: 'previewEmail',
    summary: 'Preview an unsaved template with variables',
    description: 'Nothing is sent or stored.',
  })
  @ApiData(EmailPreview)
  @AccountApiErrors('INVALID_TEMPLATE')
  preview(@Body() body: PreviewEmailRequest): EmailPreview {
    return previewEmail(body, body.variables);
  }

  @Post(':templateId/preview')
  @RequirePermission('email:read', { evenWhenLocked: true })
  @ApiOperation({
    operationId: 'previewEmailTemplate',
    summary: 'Preview a stored template with variables',
    description: 'Nothing is sent or stored.',
  })
  @ApiData(EmailPreview)
  @AccountApiErrors('NOT_FOUND', 'INVALID_TEMPLATE')
  previewOne(
    @CurrentCaller() caller: Caller,
    @Param('templateId') id: string,
    @Body() { variables }: PreviewStoredEmailRequest,
  ): Promise<EmailPreview> {
    return this.templates.preview(caller, id, variables);
  }
}
