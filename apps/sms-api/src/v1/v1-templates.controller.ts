import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { Actor } from '@heliograph/tenancy';
import { Caller, KeyActor, RequireRole, RequireScope, type Tenant } from '@heliograph/auth';
import { Idempotent, IdempotencyClaim, type Claim } from '@heliograph/idempotency';
import { V1ApiErrors, V1RouteErrors, Sample } from '@heliograph/service-kit';
import { SmsApi } from '../sms-api.openapi';
import { V1Template, V1TemplateRequest, V1Templates, V1TemplatesQuery } from './v1-templates.dto';
import { V1TemplatesService } from './v1-templates.service';

@SmsApi('v1', V1RouteErrors)
@Controller('api/v1/sms/templates')
export class V1TemplatesController {
  constructor(private readonly templates: V1TemplatesService) {}

  @Post()
  @RequireScope('sms:send')
  @RequireRole('member')
  @Sample({
    body: {
      name: 'order-shipped',
      body: 'Your order {{number}} is on its way.',
      sender_id: 'DEMOIN',
      dlt_template_id: '1107000000000000009',
    },
  })
  @ApiOperation({ operationId: 'v1CreateSmsTemplate', summary: 'Register a template' })
  @Idempotent()
  @ApiResponse({ status: 201, type: V1Template })
  @V1ApiErrors('EMAIL_NOT_VERIFIED', 'INVALID_REQUEST', 'INVALID_SENDER', 'NOT_FOUND', 'NAME_TAKEN', 'LIMIT_REACHED')
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
  @ApiOperation({ operationId: 'v1ListSmsTemplates', summary: 'List templates, newest first' })
  @ApiResponse({ status: 200, type: V1Templates })
  @V1ApiErrors('INVALID_REQUEST')
  list(@Caller() caller: Tenant, @Query() query: V1TemplatesQuery): Promise<V1Templates> {
    return this.templates.list(caller, query);
  }
}
