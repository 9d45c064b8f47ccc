import { Body, Controller, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { Actor } from '@heliograph/tenancy';
import { Caller, KeyActor, RequireRole, RequireScope, type Tenant } from '@heliograph/auth';
import { CampaignRoutes, CampaignsService, V1Campaign, V1CampaignEstimate } from '@heliograph/campaigns';
import { Idempotent, IdempotencyClaim, type Claim } from '@heliograph/idempotency';
import { AcceptsBody, V1ApiErrors, V1RouteErrors, Sample } from '@heliograph/service-kit';
import { SEND_ERRORS } from '../messages/send.controller';
import { SmsApi } from '../sms-api.openapi';
import { contentOf, V1SmsCampaignChanges, V1SmsCampaignRequest, V1SmsEstimateRequest } from './campaigns.dto';

const CONTENT_ERRORS = [...SEND_ERRORS, 'NOT_FOUND'] as const;
/** Large enough for 10,000 contact ids. */
const MAX_BYTES = 2_000_000;

@SmsApi('v1', V1RouteErrors)
@AcceptsBody({ maxBytes: MAX_BYTES })
@Controller('api/v1/sms/campaigns')
export class SmsCampaignsController extends CampaignRoutes('sms') {
  constructor(campaigns: CampaignsService) {
    super(campaigns);
  }

  @Post()
  @RequireScope('sms:send')
  @RequireRole('member')
  @Sample({
    body: {
      name: 'Spring sale',
      sender_id: 'DEMOIN',
      template_id: 'otp',
      variables: { code: '123456' },
      audience: { filter: { consent: 'opted_in' } },
    },
  })
  @ApiOperation({ operationId: 'v1CreateSmsCampaign', summary: 'Create a campaign, and start or schedule it' })
  @Idempotent()
  @ApiResponse({ status: 201, type: V1Campaign })
  @V1ApiErrors('EMAIL_NOT_VERIFIED', ...CONTENT_ERRORS)
  create(
    @Caller() caller: Tenant,
    @Body() request: V1SmsCampaignRequest,
    @KeyActor() actor: Actor,
    @IdempotencyClaim() claim: Claim | null,
  ): Promise<V1Campaign> {
    return this.campaigns.create({ actor, claim }, caller, request, contentOf(request));
  }

  @Post('estimate')
  @HttpCode(200)
  @RequireScope('sms:read')
  @Sample({
    body: {
      sender_id: 'DEMOIN',
      template_id: 'otp',
      variables: { code: '123456' },
      audience: { filter: { consent: 'opted_in' } },
    },
  })
  @ApiOperation({
    operationId: 'v1EstimateSmsCampaign',
    summary: 'Estimate the messages and the cost of a campaign without sending it',
  })
  @ApiResponse({ status: 200, type: V1CampaignEstimate })
  @V1ApiErrors(...CONTENT_ERRORS)
  estimate(@Caller() caller: Tenant, @Body() request: V1SmsEstimateRequest): Promise<V1CampaignEstimate> {
    return this.campaigns.estimate(caller, request, contentOf(request));
  }

  @Put(':id')
  @RequireScope('sms:send')
  @RequireRole('member')
  @Sample({
    body: { name: 'Summer sale', rate_per_minute: 600 },
    values: { id: { create: '/api/v1/sms/campaigns', with: { draft: true } } },
  })
  @ApiOperation({
    operationId: 'v1ChangeSmsCampaign',
    summary: 'Change a campaign that has not started',
    description: 'Absent fields stay as they are, and null clears optional ones.',
  })
  @ApiResponse({ status: 200, type: V1Campaign })
  @V1ApiErrors('EMAIL_NOT_VERIFIED', ...CONTENT_ERRORS, 'CAMPAIGN_STARTED')
  change(
    @Caller() caller: Tenant,
    @Param('id') id: string,
    @Body() request: V1SmsCampaignChanges,
    @KeyActor() actor: Actor,
  ): Promise<V1Campaign> {
    return this.campaigns.change(actor, caller, id, request, contentOf(request));
  }
}
