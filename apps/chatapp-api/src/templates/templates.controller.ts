import { Body, Controller, Delete, Get, Param, Post, Query, UseGuards } from '@nestjs/common';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import { Idempotent, IdempotencyClaim, type Claim } from '@heliograph/idempotency';
import { AcceptsBody, AcceptsQuery, AdmittedByService, MessagingOperation } from '@heliograph/service-kit';
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
  @AcceptsQuery(normalizeTemplateFilter)
  @MessagingOperation({
    id: 'listChatappTemplates',
    summary: 'List the templates that the organization can send, including shared templates',

    description: '`approved=true` returns only templates that can be sent.',
    response: TemplateList,
    errors: ['INVALID_REQUEST'],
  })
  list(@Caller() caller: Tenant, @Query() filter: TemplateFilter): Promise<TemplateList> {
    return this.templates.list(caller, filter);
  }

  @Post()
  @AdmittedByService()
  @RequireScope('chatapp:send')
  @Idempotent('chatapp.templates.create')
  // Decorators are applied from the last to the first, so the switch is checked before the Idempotency-Key.
  @UseGuards(ProviderGuard)
  @AcceptsBody({ json: normalizeJson })
  @MessagingOperation({
    id: 'createChatappTemplate',
    summary: 'Create a template and submit it for review',

    description: 'The provider reviews it; its status is `PENDING` first. Placeholders are numbered from `{{1}}`.',
    response: TemplateCreated,
    errors: [
      'INVALID_REQUEST',
      'INVALID_CATEGORY',
      'CHATAPP_REQUEST_INVALID',
      'PAYLOAD_TOO_LARGE',
      'LIMIT_REACHED',
      'IDEMPOTENCY_KEY_REUSED',
      'IDEMPOTENCY_IN_PROGRESS',
      ...UPSTREAM_ERRORS,
    ],
    sample: {
      body: {
        name: 'order_update',
        category: 'utility',
        language: 'en_US',
        components: [{ type: 'BODY', text: 'Your order is on its way.' }],
      },
    },
  })
  create(
    @Caller() caller: Tenant,
    @Body() request: TemplateRequest,
    @IdempotencyClaim() claim: Claim | null,
  ): Promise<TemplateCreated> {
    return this.templates.create(caller, request, claim);
  }

  @Post('sync')
  @AdmittedByService()
  @RequireScope('chatapp:send')
  @Idempotent('chatapp.templates.sync')
  @UseGuards(ProviderGuard)
  @MessagingOperation({
    id: 'syncChatappTemplates',
    summary: 'Sync all templates from the provider',

    description: 'Reads the status of all templates from the provider, and counts what changed.',
    response: TemplateSync,
    errors: [
      'INVALID_REQUEST',
      'CHATAPP_REQUEST_INVALID',
      'IDEMPOTENCY_KEY_REUSED',
      'IDEMPOTENCY_IN_PROGRESS',
      ...UPSTREAM_ERRORS,
    ],
  })
  sync(@Caller() caller: Tenant, @IdempotencyClaim() claim: Claim | null): Promise<TemplateSync> {
    return this.syncs.sync(caller, claim);
  }

  @Delete(':name')
  @AdmittedByService()
  @RequireScope('chatapp:send')
  @MessagingOperation({
    id: 'deleteChatappTemplate',
    summary: 'Delete a template of the organization in all its languages',

    description: 'It is deleted at the provider as well.',
    response: TemplateDeleted,
    errors: ['NOT_FOUND', 'CHATAPP_REQUEST_INVALID', ...UPSTREAM_ERRORS],
    sample: {
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
    },
  })
  remove(@Caller() caller: Tenant, @Param('name') name: string): Promise<TemplateDeleted> {
    return this.templates.remove(caller, name);
  }
}
