import { Body, Controller, Param, Post, Put } from '@nestjs/common';
import type { Actor } from '@heliograph/tenancy';
import { Caller, KeyActor, RequireScope, type Tenant } from '@heliograph/auth';
import { CampaignRoutes, CampaignsService, V1Campaign, V1CampaignEstimate } from '@heliograph/campaigns';
import { Idempotent, IdempotencyClaim, type Claim } from '@heliograph/idempotency';
import { AcceptsBody, V1RouteErrors, V1Operation } from '@heliograph/service-kit';
import { SEND_ERRORS } from '../messages/send.controller';
import { EmailApi } from '../email-api.openapi';
import { contentOf, V1EmailCampaignChanges, V1EmailCampaignRequest, V1EmailEstimateRequest } from './campaigns.dto';

const CONTENT_ERRORS = [...SEND_ERRORS, 'NOT_FOUND'] as const;
const MAX_BYTES = 10_000_000;

@EmailApi('v1', V1RouteErrors)
@AcceptsBody({ maxBytes: MAX_BYTES })
@Controller('api/v1/email/campaigns')
export class EmailCampaignsController extends CampaignRoutes('email') {
  constructor(campaigns: CampaignsService) {
    super(campaigns);
  }

  @Post()
  @RequireScope('email:send', 'member')
  @Idempotent()
  @V1Operation({
    id: 'v1CreateEmailCampaign',
    summary: 'Create a campaign, and start or schedule it',

    description:
      'Each contact of the audience gets the email at most once, with a one-click unsubscribe header. Suppressed contacts are skipped and counted.',
    status: 201,
    response: V1Campaign,
    errors: ['EMAIL_NOT_VERIFIED', ...CONTENT_ERRORS],
    sample: {
      body: {
        name: 'Newsletter',
        from: 'hello@demo.example',
        subject: 'News for {{ first_name }}',
        text: 'Hello {{ first_name }}',
        audience: { filter: { consent: 'opted_in' } },
      },
    },
  })
  create(
    @Caller() caller: Tenant,
    @Body() request: V1EmailCampaignRequest,
    @KeyActor() actor: Actor,
    @IdempotencyClaim() claim: Claim | null,
  ): Promise<V1Campaign> {
    return this.campaigns.create({ actor, claim }, caller, request, contentOf(request));
  }

  @Post('estimate')
  @RequireScope('email:read')
  @V1Operation({
    id: 'v1EstimateEmailCampaign',
    summary: 'Estimate the emails and the cost of a campaign without sending it',

    description: 'Counts the audience as the campaign would, and compares the cost with the balance.',
    response: V1CampaignEstimate,
    errors: CONTENT_ERRORS,
    sample: {
      body: {
        from: 'hello@demo.example',
        subject: 'News for {{ first_name }}',
        text: 'Hello {{ first_name }}',
        audience: { filter: { consent: 'opted_in' } },
      },
    },
  })
  estimate(@Caller() caller: Tenant, @Body() request: V1EmailEstimateRequest): Promise<V1CampaignEstimate> {
    return this.campaigns.estimate(caller, request, contentOf(request));
  }

  @Put(':id')
  @RequireScope('email:send', 'member')
  @V1Operation({
    id: 'v1ChangeEmailCampaign',
    summary: 'Change a campaign that has not started',
    description: 'Absent fields stay as they are, and null clears optional ones.',
    response: V1Campaign,
    errors: ['EMAIL_NOT_VERIFIED', ...CONTENT_ERRORS, 'CAMPAIGN_STARTED'],
    sample: {
      body: { name: 'Summer newsletter', rate_per_minute: 600 },
      values: { id: { create: '/api/v1/email/campaigns', with: { draft: true } } },
    },
  })
  change(
    @Caller() caller: Tenant,
    @Param('id') id: string,
    @Body() request: V1EmailCampaignChanges,
    @KeyActor() actor: Actor,
  ): Promise<V1Campaign> {
    return this.campaigns.change(actor, caller, id, request, contentOf(request));
  }
}
