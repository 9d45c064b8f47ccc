import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { Idempotent, IdempotencyClaim, type Claim } from '@heliograph/idempotency';
import { AcceptsBody, AcceptsQuery, AdmittedByService, ApiErrors, Sample } from '@heliograph/service-kit';
import { ChatappApi } from '../chatapp-api.openapi';
import { normalizeJson } from '../normalize-json';
import { ProviderGuard } from '../switches/sending.guards';
import { TemplateSyncService } from './template-sync.service';
import {
  normalizeTemplateFilter,
  TemplateCreated,
  TemplateDeleted,
  TemplateFilter,
  TemplateList,
  TemplateRequest,
  TemplateSync,
} from './templates.dto';
import { TemplatesService } from './templates.service';

const UPSTREAM_ERRORS = ['CHATAPP_NOT_CONFIGURED', 'CHATAPP_RATE_LIMITED', 'CHATAPP_UPSTREAM'] as const;

@ChatappApi('Templates')
@Controller(['chatapp/templates', 'api/chatapp/templates'])
export class TemplatesController {
  constructor(
    private readonly templates: TemplatesService,
    private readonly syncs: TemplateSyncService,
  ) {}

  @Get()
  @RequireScope('chatapp:read')
  @ApiOperation({
    operationId: 'listChatappTemplates',
    summary: 'List the templates that the organization can send, including shared templates',
  })
  @AcceptsQuery(normalizeTemplateFilter)
  @ApiResponse({ status: 200, type: TemplateList })
  @ApiErrors('INVALID_REQUEST')
  list(@Caller() caller: Tenant, @Query() filter: TemplateFilter): Promise<TemplateList> {
    return this.templates.list(caller, filter);
  }

  @Post()
  @AdmittedByService()
  @HttpCode(200)
  @RequireScope('chatapp:send')
  @Sample({
    body: {
      name: 'order_update',
      category: 'utility',
      language: 'en_US',
      components: [{ type: 'BODY', text: 'Your order is on its way.' }],
    },
  })
  @ApiOperation({ operationId: 'createChatappTemplate', summary: 'Create a template and submit it for review' })
  @Idempotent('chatapp.templates.create')
  // Decorators are applied from the last to the first, so the switch is checked before the Idempotency-Key.
  @UseGuards(ProviderGuard)
  @AcceptsBody({ json: normalizeJson })
  @ApiResponse({ status: 200, type: TemplateCreated })
  @ApiErrors(
    'INVALID_REQUEST',
    'INVALID_CATEGORY',
    'CHATAPP_REQUEST_INVALID',
    'PAYLOAD_TOO_LARGE',
    'LIMIT_REACHED',
    'IDEMPOTENCY_KEY_REUSED',
    'IDEMPOTENCY_IN_PROGRESS',
    ...UPSTREAM_ERRORS,
  )
  create(
    @Caller() caller: Tenant,
    @Body() request: TemplateRequest,
    @IdempotencyClaim() claim: Claim | null,
  ): Promise<TemplateCreated> {
    return this.templates.create(caller, request, claim);
  }

  @Post('sync')
  @AdmittedByService()
  @HttpCode(200)
  @RequireScope('chatapp:send')
  @ApiOperation({ operationId: 'syncChatappTemplates', summary: 'Sync all templates from the provider' })
  @Idempotent('chatapp.templates.sync')
  @UseGuards(ProviderGuard)
  @ApiResponse({ status: 200, type: TemplateSync })
  @ApiErrors(
    'INVALID_REQUEST',
    'CHATAPP_REQUEST_INVALID',
    'IDEMPOTENCY_KEY_REUSED',
    'IDEMPOTENCY_IN_PROGRESS',
    ...UPSTREAM_ERRORS,
  )
  sync(@IdempotencyClaim() claim: Claim | null): Promise<TemplateSync> {
    return this.syncs.sync(claim);
  }

  @Delete(':name')
  @AdmittedByService()
  @RequireScope('chatapp:send')
  @Sample({
    values: {
      name: {
        create: '/chatapp/templates',
        body: {
          name: 'temporary',
          category: 'utility',
          language: 'en_US',
          components: [{ type: 'BODY', text: 'Your order is on its way.' }],
        },
        field: 'name',
      },
    },
  })
  @ApiOperation({
    operationId: 'deleteChatappTemplate',
    summary: 'Delete a template of the organization in all its languages',
  })
  @ApiResponse({ status: 200, type: TemplateDeleted })
  @ApiErrors('NOT_FOUND', 'CHATAPP_REQUEST_INVALID', ...UPSTREAM_ERRORS)
  remove(@Caller() caller: Tenant, @Param('name') name: string): Promise<TemplateDeleted> {
    return this.templates.remove(caller, name);
  }
}
