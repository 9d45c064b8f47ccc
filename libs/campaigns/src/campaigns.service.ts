import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import {
  type Actor,
  WorkspaceDirectory,
  AuditedKind,
  UnitOfWork,
  type UnitOfWorkContext,
  type Write,
} from '@heliograph/tenancy';
import type { Tenant } from '@heliograph/auth';
import { balanceOf } from '@heliograph/credits';
import { clientOf, newId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { fieldError, v1List, v1NotFound, pageOf, type V1List } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { Audience, Campaign, CampaignOwner, CampaignPlan, CampaignStatus, SendWindow } from './campaign';
import { changedContent, changedRequest, type CampaignRequest } from './campaign-changes';
import { CAMPAIGN_CHANNEL, type CampaignChannel } from './campaign-channel';
import { startOf, V1Campaign, type V1CampaignEstimate, type V1CampaignsQuery } from './campaign.dto';
import { CampaignsRepository } from './campaigns.repository';
import { publishStoredStatus } from './campaign-events';
import { composeBatch } from './running/compose-batch';
import { RunsRepository } from './running/runs.repository';

export type Transition = 'start' | 'pause' | 'resume' | 'cancel';

const FROM: Readonly<Record<Transition, { from: readonly CampaignStatus[]; to: CampaignStatus; done: string }>> = {
  start: { from: ['draft', 'scheduled'], to: 'running', done: 'started' },
  pause: { from: ['running'], to: 'paused', done: 'paused' },
  resume: { from: ['paused'], to: 'running', done: 'resumed' },
  cancel: { from: ['draft', 'scheduled', 'running', 'paused'], to: 'canceled', done: 'canceled' },
};
const AUDITED = { sms: auditedKind('sms'), email: auditedKind('email') };
const CHANGEABLE: readonly CampaignStatus[] = ['draft', 'scheduled'];

/** Creates, changes and controls the campaigns of the channel of this service. */
@Injectable()
export class CampaignsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly pool: Pool,
    private readonly campaigns: CampaignsRepository,
    private readonly runs: RunsRepository,
    private readonly workspaces: WorkspaceDirectory,
    @Inject(CAMPAIGN_CHANNEL) private readonly channel: CampaignChannel,
  ) {}

  /** Throws the error codes of a send, and INVALID_REQUEST. */
  create(
    write: Write,
    caller: Tenant,
    request: CampaignRequest,
    content: Record<string, unknown>,
  ): Promise<V1Campaign> {
    return this.unitOfWork.once(write, async () => {
      const { owner, plan, status } = await this.check(caller, request, content);
      return this.unitOfWork.run(write, async (work) => {
        const id = newId();
        await this.campaigns.insert(work.transaction, id, this.channel.name, owner, plan, status);
        return this.audited(work, caller, id, 'created', null);
      });
    });
  }

  async list(caller: Tenant, query: V1CampaignsQuery): Promise<V1List<V1Campaign>> {
    const workspaceId = await this.workspaces.chosen(caller, query.workspace_id);
    const filter = { status: query.status, workspaceId: workspaceId ?? undefined };
    const page = await this.campaigns.list(this.channel.name, caller.organizationId, filter, pageOf(query));
    return v1List(page, V1Campaign.of);
  }

  /** Throws NOT_FOUND. */
  async get(caller: Tenant, id: string): Promise<V1Campaign> {
    return V1Campaign.of(await this.stored(caller, id));
  }

  /**
   * Changes a campaign that has not started: absent fields stay as they are. Throws NOT_FOUND, CAMPAIGN_STARTED, and the error
   * codes of `create`.
   */
  async change(
    actor: Actor,
    caller: Tenant,
    id: string,
    changes: Partial<CampaignRequest>,
    content: Record<string, unknown>,
  ): Promise<V1Campaign> {
    // An unknown id is reported before mistakes in the request.
    const stored = await this.stored(caller, id);
    const request = changedRequest(stored, changes);
    const given = { isTimeNew: Boolean(changes.scheduled_at) };
    const { owner, plan, status } = await this.check(caller, request, changedContent(stored, changes, content), given);
    const { changed } = await this.unitOfWork.run({ actor, claim: null }, async (work) => {
      const { transaction } = work;
      const before = await this.campaigns.findForUpdate(transaction, this.channel.name, caller, id);
      if (!before) throw v1NotFound('campaign');
      if (!CHANGEABLE.includes(before.status)) {
        throw new AppError(
          'CAMPAIGN_STARTED',
          `The campaign is ${before.status}. Only draft and scheduled campaigns can be changed.`,
        );
      }
      // Another change was committed since the campaign was read, so this change is applied to its result.
      if (!isDeepStrictEqual(planOf(before), planOf(stored))) return { changed: null };
      await this.campaigns.change(transaction, id, owner, plan, status);
      return { changed: await this.audited(work, caller, id, 'updated', before) };
    });
    return changed ?? this.change(actor, caller, id, changes, content);
  }

  /** Throws NOT_FOUND, INVALID_TRANSITION. */
  transit(write: Write, caller: Tenant, id: string, transition: Transition): Promise<V1Campaign> {
    const { from, to, done } = FROM[transition];
    return this.unitOfWork.run(write, async (work) => {
      const { transaction } = work;
      const before = await this.campaigns.findForUpdate(transaction, this.channel.name, caller, id);
      if (!before) throw v1NotFound('campaign');
      if (!from.includes(before.status)) {
        throw new AppError(
          'INVALID_TRANSITION',
          `The campaign is ${before.status}. To ${transition} it, it must be ${from.join(' or ')}.`,
        );
      }
      // The audience is the one at the start, also if the campaign is paused before a worker has stored it.
      if (to === 'paused' && before.startedAt === null) await this.runs.startLocked(transaction, before);
      await this.campaigns.setStatus(transaction, id, to);
      // If the campaign has not started, the worker publishes the start when the audience is known.
      if (to === 'paused' || before.startedAt !== null) await publishStoredStatus(await clientOf(transaction), id);
      return this.audited(work, caller, id, done, before);
    });
  }

  /** Composes the messages to the whole audience without sending them. Throws the error codes of a send. */
  async estimate(
    caller: Tenant,
    request: { audience: Audience; workspace_id?: string | null },
    content: Record<string, unknown>,
  ): Promise<V1CampaignEstimate> {
    await this.assertGroups(caller, request.audience);
    await this.channel.check(caller, content);
    const owner = await this.ownerOf(caller, request.workspace_id ?? null);
    const call = await this.channel.begin(owner, content, newId());
    const batch = this.channel.batchSize(call);
    const estimate = { audience: 0, skipped: 0, segments: 0, credits_cost: 0 };
    for (let after: string | null = null; ;) {
      const source = { organizationId: owner.organizationId, audience: request.audience };
      const contacts = await this.runs.audiencePage(this.channel.name, source, after, batch);
      estimate.audience += contacts.length;
      for (const one of await composeBatch(this.channel, call, contacts)) {
        if (one.kind === 'skipped') estimate.skipped++;
        else {
          estimate.segments += one.segments;
          estimate.credits_cost += one.credits;
        }
      }
      if (contacts.length < batch) break;
      after = contacts.at(-1)?.id ?? null;
    }
    const available = await balanceOf(this.pool, owner.workspaceId, this.channel.name);
    return { ...estimate, credits_available: available };
  }

  private async stored(caller: Tenant, id: string): Promise<Campaign> {
    const campaign = await this.campaigns.find(this.channel.name, caller, id);
    if (!campaign) throw v1NotFound('campaign');
    return campaign;
  }

  private async check(
    caller: Tenant,
    request: CampaignRequest,
    content: Record<string, unknown>,
    { isTimeNew }: { isTimeNew: boolean } = { isTimeNew: true },
  ): Promise<{ owner: CampaignOwner; plan: CampaignPlan; status: CampaignStatus }> {
    await this.assertGroups(caller, request.audience);
    await this.channel.check(caller, content);
    const scheduledAt = startOf(request.scheduled_at);
    if (isTimeNew && scheduledAt !== null && Date.parse(scheduledAt) <= Date.now()) {
      const message = 'scheduled_at must be in the future. Omit it to start immediately.';
      throw fieldError(this.channel.pastScheduleCode, 'scheduled_at', message);
    }
    const owner = await this.ownerOf(caller, request.workspace_id ?? null);
    await this.channel.begin(owner, content, newId());
    const { name, audience, send_window: window, rate_per_minute: rate } = request;
    const sendWindow = window ? ({ time_zone: 'contact', ...withoutNulls(window) } as SendWindow) : null;
    const plan = {
      name,
      content,
      audience: storedAudience(audience),
      scheduledAt,
      sendWindow,
      ratePerMinute: rate ?? null,
    };
    const status = request.draft ? 'draft' : scheduledAt === null ? 'running' : 'scheduled';
    return { owner, plan, status };
  }

  private async ownerOf(caller: Tenant, chosen: string | null): Promise<CampaignOwner> {
    const { organizationId, keyId } = caller;
    const workspaceId = await this.workspaces.chosen(caller, chosen);
    const workspace = await this.workspaces.sending({ organizationId, workspaceId });
    return { organizationId, keyId, workspaceId: workspace.id };
  }

  private async assertGroups({ organizationId }: Tenant, audience: Audience): Promise<void> {
    for (const name of ['group_ids', 'exclude_group_ids'] as const) {
      const ids = audience[name] ?? [];
      const [unknown] = ids.length > 0 ? await this.campaigns.unknownGroups(organizationId, ids) : [];
      if (unknown)
        throw fieldError(
          'INVALID_REQUEST',
          `audience.${name}`,
          `audience.${name}: the group ${unknown} does not exist.`,
        );
    }
  }

  private async audited(
    { transaction, auditChange }: UnitOfWorkContext,
    caller: Tenant,
    id: string,
    done: string,
    before: Campaign | null,
  ): Promise<V1Campaign> {
    const after = await this.campaigns.findForUpdate(transaction, this.channel.name, caller, id);
    if (!after) throw new Error(`the campaign ${id} is not stored`);
    await auditChange(AUDITED[this.channel.name], done, { ...(before ? { before } : {}), after });
    return V1Campaign.of(after);
  }
}

function auditedKind(channel: string): AuditedKind<Campaign> {
  return new AuditedKind(
    `${channel}.campaign`,
    ({ id, organizationId, workspaceId }) => ({ id, organizationId, workspaceId }),
    ({ name, status, scheduledAt, sendWindow, ratePerMinute }) => ({
      name,
      status,
      scheduledAt,
      sendWindow,
      ratePerMinute,
    }),
  );
}

/** The fields that a change can change. */
function planOf({ name, status, content, audience, ...other }: Campaign): object {
  const { workspaceId, scheduledAt, sendWindow, ratePerMinute } = other;
  return { name, status, content, audience, workspaceId, scheduledAt, sendWindow, ratePerMinute };
}

/** The audience without parts and conditions that are null. */
function storedAudience(audience: Audience): Audience {
  const { filter, ...parts } = withoutNulls(audience);
  return filter ? { ...parts, filter: withoutNulls(filter) } : parts;
}

function withoutNulls<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null)) as Partial<T>;
}
