import type { Campaign, CampaignCounts } from './campaign';

/** The columns of a campaign, including results that are not rolled up yet. */
export const CAMPAIGN_COLUMNS = `c.id, c.organization_id AS "organizationId", c.workspace_id AS "workspaceId",
  c.key_id AS "keyId", c.channel, c.name, c.status, c.content, c.audience, c.send_window AS "sendWindow",
  c.rate_per_minute AS "ratePerMinute", c.scheduled_at AS "scheduledAt", c.due_at AS "dueAt", c.error, c.skipped,
  c.swept_to AS "sweptTo", c.audience_to AS "audienceTo", c.created_at AS "createdAt", c.started_at AS "startedAt", c.finished_at AS "finishedAt",
  c.credits_spent::float8 AS "creditsSpent",
  json_build_object('audience', c.audience_size, 'queued', c.queued, 'sent', c.sent, 'delivered', c.delivered,
    'failed', c.failed, 'opened', c.opened, 'clicked', c.clicked, 'bounced', c.bounced,
    'unsubscribed', c.unsubscribed, 'canceled', c.canceled) AS counts,
  (SELECT json_object_agg(r.kind, r.amount) FROM (
     SELECT r.kind, sum(r.amount)::int AS amount FROM campaigns.results AS r WHERE r.campaign_id = c.id GROUP BY r.kind
   ) AS r) AS fresh`;

/** `swept_to` of a campaign whose waiting messages must be processed. */
export const FIRST_POSITION = '00000000-0000-0000-0000-000000000000';

/** Sums of results that are not rolled up yet, by kind (alias `fresh`). */
export type CampaignRow = Campaign & { fresh: Record<string, number> | null };

export function campaignOf({ fresh, ...campaign }: CampaignRow): Campaign {
  if (!fresh) return campaign;
  const counts = Object.entries(campaign.counts).map(([kind, count]) => [kind, count + (fresh[kind] ?? 0)] as const);
  const { suppressed = 0, credits = 0 } = fresh;
  return {
    ...campaign,
    counts: Object.fromEntries(counts) as Record<keyof CampaignCounts, number>,
    creditsSpent: campaign.creditsSpent + credits,
    skipped:
      suppressed === 0
        ? campaign.skipped
        : { ...campaign.skipped, suppressed: (campaign.skipped.suppressed ?? 0) + suppressed },
  };
}
