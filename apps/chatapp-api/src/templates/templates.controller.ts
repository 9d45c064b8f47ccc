import { Controller, Delete, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import { Caller, RequireScope, type Tenant } from '@heliograph/auth';
import {
  claimAnswer,
  fingerprint,
  IdempotencyService,
  keepAnswer,
  readIdempotencyKey,
  type Answer,
  type IdempotentCall,
} from '@heliograph/idempotency';
import {
  asRefusal,
  decodeText,
  readBody,
  readJsonFields,
  Refusals,
  TakesIdempotencyKey,
} from '@heliograph/service-kit';
import { ChatappApi } from '../chatapp-api.openapi';
import { GraphClient } from '../upstream/graph-client';
import { readStatusFilter } from './read-status-filter';
import { readTemplate } from './read-template';
import { TemplateSyncService } from './template-sync.service';
import { TemplateCreated, TemplateDeleted, TemplateList, TemplateRequest, TemplateSync } from './templates.dto';
import { TemplatesService } from './templates.service';

const MAX_BODY_BYTES = 1_000_000;
const UPSTREAM_REFUSALS = ['CHATAPP_NOT_CONFIGURED', 'CHATAPP_RATE_LIMITED', 'CHATAPP_UPSTREAM'] as const;

@ChatappApi('Templates')
@Controller(['chatapp/templates', 'api/chatapp/templates'])
export class TemplatesController {
  constructor(
    private readonly templates: TemplatesService,
    private readonly syncs: TemplateSyncService,
    private readonly idempotency: IdempotencyService,
    private readonly dataSource: DataSource,
    private readonly graph: GraphClient,
  ) {}

  @Get()
  @RequireScope('chatapp:read')
  @ApiOperation({
    operationId: 'listChatappTemplates',
    summary: 'List the templates that the organization can send, its own and shared ones',
  })
  @ApiQuery({ name: 'approved', required: false, type: Boolean, description: '`true`: only APPROVED templates' })
  @ApiQuery({
    name: 'status',
    required: false,
    type: String,
    description: 'Only templates with this status, such as PENDING',
  })
  @ApiResponse({ status: 200, type: TemplateList })
  @Refusals('INVALID_REQUEST')
  list(@Caller() caller: Tenant, @Req() request: Request): Promise<TemplateList> {
    return this.templates.list(caller, readStatusFilter(request));
  }

  @Post()
  @HttpCode(200)
  @RequireScope('chatapp:send')
  @ApiOperation({ operationId: 'createChatappTemplate', summary: 'Create a template and submit it for review' })
  @TakesIdempotencyKey()
  @ApiBody({ required: true, type: TemplateRequest })
  @ApiResponse({ status: 200, type: TemplateCreated })
  @Refusals(
    'INVALID_REQUEST',
    'INVALID_CATEGORY',
    'CHATAPP_REQUEST_INVALID',
    'PAYLOAD_TOO_LARGE',
    'IDEMPOTENCY_KEY_REUSED',
    'IDEMPOTENCY_IN_PROGRESS',
    ...UPSTREAM_REFUSALS,
  )
  async create(
    @Caller() caller: Tenant,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TemplateCreated> {
    this.graph.requireConfigured();
    const { bytes } = await readBody(request, response, MAX_BODY_BYTES);
    const fields = asRefusal(() => readJsonFields(decodeText(bytes)));
    const call = callOf(caller, request, 'chatapp.templates.create', fields);
    return answer(
      response,
      await this.idempotency.run<TemplateCreated>(call, async (claimed) =>
        this.templates.create(caller, readTemplate(fields), claimed),
      ),
    );
  }

  @Post('sync')
  @HttpCode(200)
  @RequireScope('chatapp:send')
  @ApiOperation({ operationId: 'syncChatappTemplates', summary: 'Sync all templates from the provider' })
  @TakesIdempotencyKey()
  @ApiResponse({ status: 200, type: TemplateSync })
  @Refusals(
    'INVALID_REQUEST',
    'CHATAPP_REQUEST_INVALID',
    'IDEMPOTENCY_KEY_REUSED',
    'IDEMPOTENCY_IN_PROGRESS',
    ...UPSTREAM_REFUSALS,
  )
  async sync(
    @Caller() caller: Tenant,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TemplateSync> {
    this.graph.requireConfigured();
    const call = callOf(caller, request, 'chatapp.templates.sync', {});
    return answer(
      response,
      await this.idempotency.run<TemplateSync>(call, async (claimed) => {
        const counts = await this.syncs.sync();
        if (!claimed) return counts;
        return this.dataSource.transaction(async (transaction) => {
          if (!(await claimAnswer(transaction, claimed))) return 'repeated';
          await keepAnswer(transaction, claimed, counts);
          return counts;
        });
      }),
    );
  }

  @Delete(':name')
  @RequireScope('chatapp:send')
  @ApiOperation({
    operationId: 'deleteChatappTemplate',
    summary: 'Delete a template of the organization in all its languages',
  })
  @ApiResponse({ status: 200, type: TemplateDeleted })
  @Refusals('NOT_FOUND', 'CHATAPP_REQUEST_INVALID', ...UPSTREAM_REFUSALS)
  remove(@Caller() caller: Tenant, @Param('name') name: string): Promise<TemplateDeleted> {
    return this.templates.remove(caller, name);
  }
}

function callOf(caller: Tenant, request: Request, endpoint: string, fields: object): IdempotentCall | null {
  const key = readIdempotencyKey(request.headers['idempotency-key']);
  return key === undefined ? null : { callerId: caller.keyId, endpoint, key, fingerprint: fingerprint(fields) };
}

function answer<T>(response: Response, { body, replayed }: Answer<T>): T {
  if (replayed) response.setHeader('Idempotent-Replayed', 'true');
  return body;
}
