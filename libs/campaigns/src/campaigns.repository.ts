import { Injectable } from '@nestjs/common';
import { clientOf, isId, toPage, type Page, type PageOf } from '@heliograph/database';
import { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import type { Campaign, CampaignChannelName, CampaignOwner, CampaignPlan, CampaignStatus } from './campaign';
import { deleteAudience } from './audience';
import { CAMPAIGN_COLUMNS, campaignOf, FIRST_POSITION, type CampaignRow } from './campaign-rows';

export interface CampaignFilter {
  status?: CampaignStatus | undefined;
  /** The workspace of a bound key, or the chosen one. */
  workspaceId?: string | null | undefined;
}

/** Reads and writes campaigns; the progress of running ones is written by `RunsRepository`. */
@Injectable()
export class CampaignsRepository {
  constructor(private readonly pool: Pool) {}

  async insert(
    transaction: EntityManager,
    id: string,
    channel: CampaignChannelName,
    owner: CampaignOwner,
    plan: CampaignPlan,
    status: CampaignStatus,
  ): Promise<void> {
    const client = await clientOf(transaction);
    await client.query(
      `INSERT INTO campaigns.campaigns (id, organization_id, workspace_id, key_id, channel, status, name, content, audience,
         send_window, rate_per_minute, scheduled_at, due_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, coalesce($12::timestamptz, now()))`,
      [id, owner.organizationId, owner.workspaceId, owner.keyId, channel, status, ...planValues(plan)],
    );
  }

  async change(
    transaction: EntityManager,
    id: string,
    owner: CampaignOwner,
    plan: CampaignPlan,
    status: CampaignStatus,
  ): Promise<void> {
    const client = await clientOf(transaction);
    await client.query(
      `UPDATE campaigns.campaigns SET workspace_id = $2, key_id = $3, status = $4, name = $5, content = $6, audience = $7,
         send_window = $8, rate_per_minute = $9, scheduled_at = $10, due_at = coalesce($10::timestamptz, now()),
         audience_to = NULL
       WHERE id = $1`,
      [id, owner.workspaceId, owner.keyId, status, ...planValues(plan)],
    );
    // A worker may have begun to store the former audience.
    await deleteAudience(client, id);
  }

  /** A resumed or canceled campaign is due immediately, because its waiting messages are queued again or canceled. */
  async setStatus(transaction: EntityManager, id: string, status: CampaignStatus): Promise<void> {
    const client = await clientOf(transaction);
    await client.query(
      `UPDATE campaigns.campaigns SET status = $2, error = NULL, due_at = now(), lease_until = NULL,
         swept_to = CASE WHEN $2 IN ('running', 'canceled') AND started_at IS NOT NULL THEN $3::uuid END,
         finished_at = CASE WHEN $2 = 'canceled' AND started_at IS NULL THEN now() END
       WHERE id = $1`,
      [id, status, FIRST_POSITION],
    );
    if (status !== 'canceled') return;
    await deleteAudience(client, id);
  }

  /** Locks the campaign until the transaction ends; null for unknown ids and those of other organizations. */
  async findForUpdate(
    transaction: EntityManager,
    channel: CampaignChannelName,
    owner: { organizationId: string; workspaceId: string | null },
    id: string,
  ): Promise<Campaign | null> {
    const client = await clientOf(transaction);
    return findIn(client, channel, owner, id, 'FOR UPDATE OF c');
  }

  find(
    channel: CampaignChannelName,
    owner: { organizationId: string; workspaceId: string | null },
    id: string,
  ): Promise<Campaign | null> {
    return findIn(this.pool, channel, owner, id, '');
  }

  /** Newest first. */
  async list(
    channel: CampaignChannelName,
    organizationId: string,
    { status, workspaceId }: CampaignFilter,
    page: Page,
  ): Promise<PageOf<Campaign>> {
    const { rows } = await this.pool.query<CampaignRow>(
      `SELECT ${CAMPAIGN_COLUMNS} FROM campaigns.campaigns AS c
       WHERE c.organization_id = $1 AND c.channel = $2 AND ($3::text IS NULL OR c.status = $3)
         AND ($4::uuid IS NULL OR c.workspace_id = $4) AND ($5::uuid IS NULL OR c.id < $5)
       ORDER BY c.id DESC LIMIT $6`,
      [organizationId, channel, status ?? null, workspaceId ?? null, page.after, page.limit + 1],
    );
    return toPage(rows.map(campaignOf), page, ({ id }) => id);
  }

  /** Returns the ids that are not groups of the organization. */
  async unknownGroups(organizationId: string, ids: readonly string[]): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(
      `SELECT id FROM unnest($2::uuid[]) AS id
       WHERE id NOT IN (SELECT g.id FROM contacts.groups AS g WHERE g.organization_id = $1 AND g.id = ANY ($2))`,
      [organizationId, ids],
    );
    return rows.map(({ id }) => id);
  }
}

async function findIn(
  database: Pick<Pool, 'query'> | Awaited<ReturnType<typeof clientOf>>,
  channel: CampaignChannelName,
  { organizationId, workspaceId }: { organizationId: string; workspaceId: string | null },
  id: string,
  lock: string,
): Promise<Campaign | null> {
  if (!isId(id)) return null;
  const { rows } = await (database as Pool).query<CampaignRow>(
    `SELECT ${CAMPAIGN_COLUMNS} FROM campaigns.campaigns AS c
     WHERE c.id = $1 AND c.organization_id = $2 AND c.channel = $3 AND ($4::uuid IS NULL OR c.workspace_id = $4) ${lock}`,
    [id, organizationId, channel, workspaceId],
  );
  return rows[0] ? campaignOf(rows[0]) : null;
}

function planValues(plan: CampaignPlan): unknown[] {
  const { name, content, audience, sendWindow, ratePerMinute, scheduledAt } = plan;
  return [name, content, audience, sendWindow, ratePerMinute, scheduledAt];
}
