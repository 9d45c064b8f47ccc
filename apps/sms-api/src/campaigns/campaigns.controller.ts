import { Body, Controller, Param, Post, Put } from '@nestjs/common';
import type { Actor } from '@heliograph/tenancy';
import { Caller, KeyActor, RequireScope, type Tenant } from '@heliograph/auth';
import { CampaignRoutes, CampaignsService, V1Campaign, V1CampaignEstimate } from '@heliograph/campaigns';
import { Idempotent, IdempotencyClaim, type Claim } from '@heliograph/idempotency';
import { AcceptsBody, V1RouteErrors, V1Operation } from '@heliograph/service-kit';
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
  @RequireScope('sms:send', 'member')
  @Idempotent()
  @V1Operation({
    id: 'v1CreateSmsCampaign',
    summary: 'Create a campaign, and start or schedule it',

    description:
      'Each contact of the audience gets the message at most once. Contacts that opted out are skipped and counted.',
    status: 201,
    response: V1Campaign,
    errors: ['EMAIL_NOT_VERIFIED', ...CONTENT_ERRORS],
    sample: {
      body: {
        name: 'Spring sale',
        sender_id: 'DEMOIN',
        template_id: 'otp',
        variables: { code: '123456' },
        audience: { filter: { consent: 'opted_in' } },
      },
    },
  })
  create(
    @Caller() caller: Tenant,
    @Body() request: V1SmsCampaignRequest,
    @KeyActor() actor: Actor,
    @IdempotencyClaim() claim: Claim | null,
  ): Promise<V1Campaign> {
    return this.campaigns.create({ actor, claim }, caller, request, contentOf(request));
  }

  @Post('estimate')
  @RequireScope('sms:read')
  @V1Operation({
    id: 'v1EstimateSmsCampaign',
    summary: 'Estimate the messages and the cost of a campaign without sending it',

    description: 'Counts the audience and its segments as the campaign would, and compares the cost with the balance.',
    response: V1CampaignEstimate,
    errors: CONTENT_ERRORS,
    sample: {
      body: {
        sender_id: 'DEMOIN',
        template_id: 'otp',
        variables: { code: '123456' },
        audience: { filter: { consent: 'opted_in' } },
      },
    },
  })
  estimate(@Caller() caller: Tenant, @Body() request: V1SmsEstimateRequest): Promise<V1CampaignEstimate> {
    return this.campaigns.estimate(caller, request, contentOf(request));
  }

  @Put(':id')
  @RequireScope('sms:send', 'member')
  @V1Operation({
    id: 'v1ChangeSmsCampaign',
    summary: 'Change a campaign that has not started',
    description: 'Absent fields stay as they are, and null clears optional ones.',
    response: V1Campaign,
    errors: ['EMAIL_NOT_VERIFIED', ...CONTENT_ERRORS, 'CAMPAIGN_STARTED'],
    sample: {
      body: { name: 'Summer sale', rate_per_minute: 600 },
      values: { id: { create: '/api/v1/sms/campaigns', with: { draft: true } } },
    },
  })
  change(
    @Caller() caller: Tenant,
    @Param('id') id: string,
    @Body() request: V1SmsCampaignChanges,
    @KeyActor() actor: Actor,
  ): Promise<V1Campaign> {
    return this.campaigns.change(actor, caller, id, request, contentOf(request));
  }
}
