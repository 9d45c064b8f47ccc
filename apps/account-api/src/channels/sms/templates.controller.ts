import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequirePermission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { AccountOperation, IdempotentWrite } from '../../http/envelope';
import { CurrentWrite } from '../../unit-of-work/current-write';
import { TemplatesService } from './templates.service';
import { ChangeTemplateRequest, CreateTemplateRequest, OneTemplate, TemplatePage, RegistrationQuery } from './sms.dto';
import { Preview, PreviewRequest } from './template-preview.dto';

@ApiTags('SMS')
@Controller('api/organization/sms/templates')
export class TemplatesController {
  constructor(private readonly templates: TemplatesService) {}

  @Get()
  @RequirePermission('sms:read')
  @AccountOperation({
    id: 'listTemplates',
    summary: 'List SMS templates, sorted by creation time, oldest first',

    description: 'Contains inactive templates.',
    response: TemplatePage,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: RegistrationQuery): Promise<TemplatePage> {
    return this.templates.list(caller, query);
  }

  @Get(':entryId')
  @RequirePermission('sms:read')
  @AccountOperation({
    id: 'getTemplate',
    summary: 'Get an SMS template',
    description: 'Returns a template with its text and its DLT id.',
    response: OneTemplate,
    errors: ['NOT_FOUND'],
  })
  get(@CurrentCaller() caller: Caller, @Param('entryId') id: string): Promise<OneTemplate> {
    return this.templates.get(caller, id);
  }

  @Post()
  @RequirePermission('sms:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'createTemplate',
    summary: 'Register an SMS template',

    description: 'The text must be equal to the one in the DLT registry. Placeholders are `{#var#}` or `{{name}}`.',
    status: 201,
    response: OneTemplate,
    errors: ['NOT_FOUND', 'NAME_TAKEN', 'LIMIT_REACHED'],
    sample: {
      body: {
        name: 'reminder',
        onboardingId: '01941f29-7c00-7000-8000-000000000001',
        body: 'Reminder: your appointment is at {{time}}.',
      },
      values: { onboardingId: { get: '/api/organization/sms/onboardings', match: '"country":"US"' } },
    },
  })
  create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateTemplateRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneTemplate> {
    return this.templates.create(write, caller, body);
  }

  @Patch(':entryId')
  @RequirePermission('sms:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'changeTemplate',
    summary: 'Update an SMS template',

    description:
      'Change the text only together with its registration: in India, operators drop messages that differ from it.',
    response: OneTemplate,
    errors: ['NOT_FOUND', 'NAME_TAKEN'],
    sample: { body: { isActive: true } },
  })
  update(
    @CurrentCaller() caller: Caller,
    @Param('entryId') id: string,
    @Body() body: ChangeTemplateRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneTemplate> {
    return this.templates.update(write, caller, id, body);
  }

  @Post('preview')
  @RequirePermission('sms:read', { evenWhenLocked: true })
  @AccountOperation({
    id: 'previewTemplate',
    summary: 'Preview the text, segments and cost of a message',
    description: 'Nothing is sent or stored.',
    response: Preview,
  })
  preview(@Body() body: PreviewRequest): Promise<Preview> {
    return this.templates.preview(body);
  }
}
