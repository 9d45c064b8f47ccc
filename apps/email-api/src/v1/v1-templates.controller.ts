import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import type { Actor } from '@heliograph/tenancy';
import { Caller, KeyActor, RequireScope, type Tenant } from '@heliograph/auth';
import { Idempotent, IdempotencyClaim, type Claim } from '@heliograph/idempotency';
import { AcceptsBody, V1RouteErrors, V1Operation } from '@heliograph/service-kit';
import { EmailApi } from '../email-api.openapi';
import { V1Template, V1TemplateRequest, V1Templates, V1TemplatesQuery } from './v1-templates.dto';
import { V1TemplatesService } from './v1-templates.service';

const MAX_BODY_BYTES = 5_000_000;

@EmailApi('v1', V1RouteErrors)
@Controller('api/v1/email/templates')
export class V1TemplatesController {
  constructor(private readonly templates: V1TemplatesService) {}

  @Post()
  @RequireScope('email:send', 'member')
  @Idempotent()
  @AcceptsBody({ maxBytes: MAX_BODY_BYTES })
  @V1Operation({
    id: 'v1CreateEmailTemplate',
    summary: 'Create a template',

    description: 'Subject and bodies are Liquid templates. Syntax errors are reported with their line.',
    status: 201,
    response: V1Template,
    errors: [
      'EMAIL_NOT_VERIFIED',
      'INVALID_REQUEST',
      'INVALID_TEMPLATE',
      'NAME_TAKEN',
      'LIMIT_REACHED',
      'PAYLOAD_TOO_LARGE',
    ],
    sample: {
      body: {
        slug: 'order-shipped',
        name: 'Order shipped',
        subject: 'Order {{ number }} is on its way',
        html: '<p>Hello {{ name }}</p>',
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
  @RequireScope('email:read')
  @V1Operation({
    id: 'v1ListEmailTemplates',
    summary: 'List templates, newest first',

    description: '`variables` lists the names that the subject and the bodies use.',
    response: V1Templates,
    errors: ['INVALID_REQUEST'],
  })
  list(@Caller() caller: Tenant, @Query() query: V1TemplatesQuery): Promise<V1Templates> {
    return this.templates.list(caller, query);
  }
}
