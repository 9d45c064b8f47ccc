import { applyDecorators, Get, Param, Post, Query } from '@nestjs/common';
import type { Actor } from '@heliograph/tenancy';
import { Caller, KeyActor, RequireScope, type Tenant } from '@heliograph/auth';
import { Idempotent, IdempotencyClaim, type Claim } from '@heliograph/idempotency';
import { V1Operation, type V1List } from '@heliograph/service-kit';
import { V1Campaign, V1Campaigns, V1CampaignsQuery } from './campaign.dto';
import type { CampaignsService, Transition } from './campaigns.service';

/** Scope and part of the operation ids of a channel. */
const CHANNELS = { sms: 'Sms', email: 'Email' } as const;

/** How the samples create a campaign that allows a transition. */
const STATES: Readonly<Record<Transition, (path: string) => { with: object; then?: string[] }>> = {
  start: () => ({ with: { draft: true } }),
  // Takes long enough to be paused.
  pause: () => ({ with: { rate_per_minute: 1 } }),
  resume: (path) => ({ with: { rate_per_minute: 1 }, then: [`${path}/{id}/pause`] }),
  cancel: () => ({ with: { draft: true } }),
};

/** Base class for the controller of a channel's campaigns, with the routes that do not depend on their content. */
export function CampaignRoutes(channel: keyof typeof CHANNELS) {
  const [READ, SEND, NAME] = [`${channel}:read`, `${channel}:send`, CHANNELS[channel]] as const;

  const PATH = `/api/v1/${channel}/campaigns`;

  const Changes = (transition: Transition, summary: string, description: string): MethodDecorator =>
    applyDecorators(
      Post(`:id/${transition}`),
      RequireScope(SEND, 'member'),
      Idempotent(),
      V1Operation({
        id: `v1${transition[0]?.toUpperCase()}${transition.slice(1)}${NAME}Campaign`,
        summary,
        description,
        response: V1Campaign,
        errors: ['INVALID_REQUEST', 'NOT_FOUND', 'INVALID_TRANSITION', 'EMAIL_NOT_VERIFIED'],
        sample: { values: { id: { create: PATH, ...STATES[transition](PATH) } } },
      }),
    );

  abstract class Routes {
    constructor(readonly campaigns: CampaignsService) {}

    @Get()
    @RequireScope(READ)
    @V1Operation({
      id: `v1List${NAME}Campaigns`,
      summary: 'List campaigns, newest first',
      description: 'Each campaign has its counts, so that progress can be shown.',
      response: V1Campaigns,
      errors: ['INVALID_REQUEST', 'NOT_FOUND'],
    })
    list(@Caller() caller: Tenant, @Query() query: V1CampaignsQuery): Promise<V1List<V1Campaign>> {
      return this.campaigns.list(caller, query);
    }

    @Get(':id')
    @RequireScope(READ)
    @V1Operation({
      id: `v1Get${NAME}Campaign`,
      summary: 'Get a campaign and its results',
      description: 'Counts are cumulative: `sent` includes what was delivered.',
      response: V1Campaign,
      errors: ['NOT_FOUND'],
      sample: { values: { id: { create: PATH, with: { draft: true } } } },
    })
    get(@Caller() caller: Tenant, @Param('id') id: string): Promise<V1Campaign> {
      return this.campaigns.get(caller, id);
    }

    @Changes(
      'start',
      'Start a draft or a scheduled campaign immediately',
      'The audience is stored within a few seconds. Later changes of groups and contacts do not change it.',
    )
    start(
      @Caller() caller: Tenant,
      @Param('id') id: string,
      @KeyActor() actor: Actor,
      @IdempotencyClaim() claim: Claim | null,
    ): Promise<V1Campaign> {
      return this.campaigns.transit({ actor, claim }, caller, id, 'start');
    }

    @Changes(
      'pause',
      'Pause a running campaign',
      'Within two seconds, no message leaves any more. Accepted messages that have not left wait until the campaign is resumed. ' +
        'A campaign runs, and can be paused, until none of its messages waits any more.',
    )
    pause(
      @Caller() caller: Tenant,
      @Param('id') id: string,
      @KeyActor() actor: Actor,
      @IdempotencyClaim() claim: Claim | null,
    ): Promise<V1Campaign> {
      return this.campaigns.transit({ actor, claim }, caller, id, 'pause');
    }

    @Changes(
      'resume',
      'Resume a paused campaign',
      'Waiting messages are sent, within the send window, and the campaign continues at the contact where it was paused.',
    )
    resume(
      @Caller() caller: Tenant,
      @Param('id') id: string,
      @KeyActor() actor: Actor,
      @IdempotencyClaim() claim: Claim | null,
    ): Promise<V1Campaign> {
      return this.campaigns.transit({ actor, claim }, caller, id, 'resume');
    }

    @Changes(
      'cancel',
      'Cancel a campaign permanently',
      'Within two seconds, no message leaves any more. Accepted messages that have not left are canceled and refunded ' +
        '(`counts.canceled`); then `finished_at` is set. A message that may have left, because no response was received, is ' +
        'not refunded.',
    )
    cancel(
      @Caller() caller: Tenant,
      @Param('id') id: string,
      @KeyActor() actor: Actor,
      @IdempotencyClaim() claim: Claim | null,
    ): Promise<V1Campaign> {
      return this.campaigns.transit({ actor, claim }, caller, id, 'cancel');
    }
  }
  return Routes;
}
