import { applyDecorators, Body, Controller, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { Actor } from '@heliograph/audit';
import { Caller, KeyActor, RequireRole, RequireScope, type Tenant } from '@heliograph/auth';
import {
  CampaignsService,
  V1Campaign,
  V1CampaignEstimate,
  V1Campaigns,
  V1CampaignsQuery,
  type Transition,
} from '@heliograph/campaigns';
import { Idempotent, IdempotencyClaim, type IdempotentCall } from '@heliograph/idempotency';
import { AcceptsBody, V1ApiErrors, type V1List } from '@heliograph/service-kit';
import { SEND_ERRORS } from '../messages/send.controller';
import { SmsApi } from '../sms-api.openapi';
import { contentOf, V1SmsCampaignChanges, V1SmsCampaignRequest, V1SmsEstimateRequest } from './campaigns.dto';

const CONTENT_ERRORS = [...SEND_ERRORS, 'NOT_FOUND'] as const;
/** Large enough for 10,000 contact ids. */
const MAX_BYTES = 2_000_000;

function CampaignTransition(transition: Transition, summary: string): MethodDecorator {
  return applyDecorators(
    ...[HttpCode(200), RequireScope('sms:send'), RequireRole('member'), Idempotent()],
    ApiOperation({ operationId: `v1${transition[0]?.toUpperCase()}${transition.slice(1)}SmsCampaign`, summary }),
    ApiResponse({ status: 200, type: V1Campaign }),
    V1ApiErrors('NOT_FOUND', 'INVALID_TRANSITION'),
  );
}

@SmsApi('v1', V1ApiErrors)
@AcceptsBody({ maxBytes: MAX_BYTES })
@Controller('api/v1/sms/campaigns')
export class SmsCampaignsController {
  constructor(private readonly campaigns: CampaignsService) {}

  @Post()
  @RequireScope('sms:send')
  @RequireRole('member')
  @ApiOperation({ operationId: 'v1CreateSmsCampaign', summary: 'Create a campaign, and start or schedule it' })
  @Idempotent()
  @ApiResponse({ status: 201, type: V1Campaign })
  @V1ApiErrors(...CONTENT_ERRORS)
  create(
    @Caller() caller: Tenant,
    @Body() request: V1SmsCampaignRequest,
    @KeyActor() actor: Actor,
    @IdempotencyClaim() claim: IdempotentCall | null,
  ): Promise<V1Campaign> {
    return this.campaigns.create({ actor, claim }, caller, request, contentOf(request));
  }

  @Get()
  @RequireScope('sms:read')
  @ApiOperation({ operationId: 'v1ListSmsCampaigns', summary: 'List campaigns, newest first' })
  @ApiResponse({ status: 200, type: V1Campaigns })
  @V1ApiErrors('INVALID_REQUEST')
  list(@Caller() caller: Tenant, @Query() query: V1CampaignsQuery): Promise<V1List<V1Campaign>> {
    return this.campaigns.list(caller, query);
  }

  @Post('estimate')
  @HttpCode(200)
  @RequireScope('sms:read')
  @ApiOperation({
    operationId: 'v1EstimateSmsCampaign',
    summary: 'Estimate the messages and the cost of a campaign without sending it',
  })
  @ApiResponse({ status: 200, type: V1CampaignEstimate })
  @V1ApiErrors(...CONTENT_ERRORS)
  estimate(@Caller() caller: Tenant, @Body() request: V1SmsEstimateRequest): Promise<V1CampaignEstimate> {
    return this.campaigns.estimate(caller, request, contentOf(request));
  }

  @Get(':id')
  @RequireScope('sms:read')
  @ApiOperation({ operationId: 'v1GetSmsCampaign', summary: 'Get a campaign and its results' })
  @ApiResponse({ status: 200, type: V1Campaign })
  @V1ApiErrors('NOT_FOUND')
  get(@Caller() caller: Tenant, @Param('id') id: string): Promise<V1Campaign> {
    return this.campaigns.get(caller, id);
  }

  @Put(':id')
  @RequireScope('sms:send')
  @RequireRole('member')
  @ApiOperation({
    operationId: 'v1ChangeSmsCampaign',
    summary: 'Change a campaign that has not started',
    description: 'Absent fields stay as they are, and null clears optional ones.',
  })
  @ApiResponse({ status: 200, type: V1Campaign })
  @V1ApiErrors(...CONTENT_ERRORS, 'CAMPAIGN_STARTED')
  change(
    @Caller() caller: Tenant,
    @Param('id') id: string,
    @Body() request: V1SmsCampaignChanges,
    @KeyActor() actor: Actor,
  ): Promise<V1Campaign> {
    return this.campaigns.change(actor, caller, id, request, contentOf(request));
  }

  @Post(':id/start')
  @CampaignTransition('start', 'Start a draft or a scheduled campaign immediately')
  start(
    @Caller() caller: Tenant,
    @Param('id') id: string,
    @KeyActor() actor: Actor,
    @IdempotencyClaim() claim: IdempotentCall | null,
  ): Promise<V1Campaign> {
    return this.campaigns.transit({ actor, claim }, caller, id, 'start');
  }

  @Post(':id/pause')
  @CampaignTransition('pause', 'Pause a running campaign')
  pause(
    @Caller() caller: Tenant,
    @Param('id') id: string,
    @KeyActor() actor: Actor,
    @IdempotencyClaim() claim: IdempotentCall | null,
  ): Promise<V1Campaign> {
    return this.campaigns.transit({ actor, claim }, caller, id, 'pause');
  }

  @Post(':id/resume')
  @CampaignTransition('resume', 'Resume a paused campaign')
  resume(
    @Caller() caller: Tenant,
    @Param('id') id: string,
    @KeyActor() actor: Actor,
    @IdempotencyClaim() claim: IdempotentCall | null,
  ): Promise<V1Campaign> {
    return this.campaigns.transit({ actor, claim }, caller, id, 'resume');
  }

  @Post(':id/cancel')
  @CampaignTransition('cancel', 'Cancel a campaign permanently')
  cancel(
    @Caller() caller: Tenant,
    @Param('id') id: string,
    @KeyActor() actor: Actor,
    @IdempotencyClaim() claim: IdempotentCall | null,
  ): Promise<V1Campaign> {
    return this.campaigns.transit({ actor, claim }, caller, id, 'cancel');
  }
}
