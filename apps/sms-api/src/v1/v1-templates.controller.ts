import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import type { Actor } from '@heliograph/tenancy';
import { Caller, KeyActor, RequireScope, type Tenant } from '@heliograph/auth';
import { Idempotent, IdempotencyClaim, type Claim } from '@heliograph/idempotency';
import { V1RouteErrors, V1Operation } from '@heliograph/service-kit';
import { SmsApi } from '../sms-api.openapi';
import { V1Template, V1TemplateRequest, V1Templates, V1TemplatesQuery } from './v1-templates.dto';
import { V1TemplatesService } from './v1-templates.service';

@SmsApi('v1', V1RouteErrors)
@Controller('api/v1/sms/templates')
export class V1TemplatesController {
  constructor(private readonly templates: V1TemplatesService) {}

  @Post()
  @RequireScope('sms:send', 'member')
  @Idempotent()
  @V1Operation({
    id: 'v1CreateSmsTemplate',
    summary: 'Register a template',

    description: 'The text must be equal to the one in the DLT registry, where the country has one.',
    status: 201,
    response: V1Template,
    errors: ['EMAIL_NOT_VERIFIED', 'INVALID_REQUEST', 'INVALID_SENDER', 'NOT_FOUND', 'NAME_TAKEN', 'LIMIT_REACHED'],
    sample: {
      body: {
        name: 'order-shipped',
        body: 'Your order {{number}} is on its way.',
        sender_id: 'DEMOIN',
        dlt_template_id: '1107000000000000009',
      },
    },
  })
  create(
    @Caller() caller: Tenant,
    @Body() request: V1TemplateRequest,
    @KeyActor() actor: Actor,
    @IdempotencyClaim() claim: Claim | null,
  ): Promise<V1Template> {
    return this.templates.create({ actor, claim }, caller, request);
  }

  @Get()
  @RequireScope('sms:read')
  @V1Operation({
    id: 'v1ListSmsTemplates',
    summary: 'List templates, newest first',

    description: '`tokens` lists the names of the variables that a send must contain.',
    response: V1Templates,
    errors: ['INVALID_REQUEST'],
  })
  list(@Caller() caller: Tenant, @Query() query: V1TemplatesQuery): Promise<V1Templates> {
    return this.templates.list(caller, query);
  }
}
