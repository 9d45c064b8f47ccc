import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequirePermission } from '../../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../../access/caller';
import { AccountOperation, IdempotentWrite } from '../../../http/envelope';
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
import { EmailTemplatesService } from './templates.service';

@ApiTags('Email')
@Controller('api/organization/email/templates')
export class EmailTemplatesController {
  constructor(private readonly templates: EmailTemplatesService) {}

  @Get()
  @RequirePermission('email:read')
  @AccountOperation({
    id: 'listEmailTemplates',
    summary: 'List templates without their bodies, sorted by creation time, oldest first',

    description: 'Get a single template for its bodies.',
    response: EmailTemplatePage,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<EmailTemplatePage> {
    return this.templates.list(caller, query);
  }

  @Get(':templateId')
  @RequirePermission('email:read')
  @AccountOperation({
    id: 'getEmailTemplate',
    summary: 'Get a template',

    description: 'Returns a template with both bodies and the names of its variables.',
    response: OneEmailTemplate,
    errors: ['NOT_FOUND'],
  })
  get(@CurrentCaller() caller: Caller, @Param('templateId') id: string): Promise<OneEmailTemplate> {
    return this.templates.get(caller, id);
  }

  @Post()
  @RequirePermission('email:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'createEmailTemplate',
    summary: 'Create a template',

    description: 'Subject and bodies are Liquid templates. Syntax errors are reported with their line.',
    status: 201,
    response: OneEmailTemplate,
    errors: ['INVALID_TEMPLATE', 'NAME_TAKEN', 'LIMIT_REACHED'],
    sample: {
      body: {
        slug: 'order-delivered',
        name: 'Order delivered',
        subject: 'Order {{ number }} has arrived',
        html: '<p>Hello {{ name }}</p>',
      },
    },
  })
  create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateEmailTemplateRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneEmailTemplate> {
    return this.templates.create(write, caller, body);
  }

  @Patch(':templateId')
  @RequirePermission('email:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'changeEmailTemplate',
    summary: 'Update a template',

    description: 'Later sends use the new content.',
    response: OneEmailTemplate,
    errors: ['NOT_FOUND', 'INVALID_TEMPLATE', 'NAME_TAKEN'],
    sample: { body: { subject: 'Hello {{ name }}' } },
  })
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
  @IdempotentWrite()
  @AccountOperation({
    id: 'removeEmailTemplate',
    summary: 'Delete a template',

    description: 'Messages that were sent with it remain.',
    response: OneEmailTemplate,
    errors: ['NOT_FOUND'],
    sample: {
      values: {
        templateId: {
          create: '/api/organization/email/templates',
          body: { slug: 'temporary', name: 'Temporary', subject: 'Temporary', text: 'Temporary' },
        },
      },
    },
  })
  remove(
    @CurrentCaller() caller: Caller,
    @Param('templateId') id: string,
    @CurrentWrite() write: Write,
  ): Promise<OneEmailTemplate> {
    return this.templates.remove(write, caller, id);
  }

  @Post('preview')
  @RequirePermission('email:read', { evenWhenLocked: true })
  @AccountOperation({
    id: 'previewEmail',
    summary: 'Preview an unsaved template with variables',
    description: 'Nothing is sent or stored.',
    response: EmailPreview,
    errors: ['INVALID_TEMPLATE'],
  })
  preview(@Body() body: PreviewEmailRequest): EmailPreview {
    return previewEmail(body, body.variables);
  }

  @Post(':templateId/preview')
  @RequirePermission('email:read', { evenWhenLocked: true })
  @AccountOperation({
    id: 'previewEmailTemplate',
    summary: 'Preview a stored template with variables',
    description: 'Nothing is sent or stored.',
    response: EmailPreview,
    errors: ['NOT_FOUND', 'INVALID_TEMPLATE'],
  })
  previewOne(
    @CurrentCaller() caller: Caller,
    @Param('templateId') id: string,
    @Body() { variables }: PreviewStoredEmailRequest,
  ): Promise<EmailPreview> {
    return this.templates.preview(caller, id, variables);
  }
}
