import type { Campaign } from './campaign';
import type { V1CampaignFields } from './campaign.dto';

/** A request for a campaign: its fields, and the content of its messages. */
export type CampaignRequest = V1CampaignFields & { scheduled_at?: string | null; workspace_id?: string | null };

/** Fields of the content that a given field replaces. */
const REPLACED: Readonly<Record<string, readonly string[]>> = {
  message: ['template_id', 'variables'],
  template_id: ['message'],
};

/** The request that a change of a campaign amounts to: absent fields stay as they are, and null clears optional ones. */
export function changedRequest(before: Campaign, changes: Partial<CampaignRequest>): CampaignRequest {
  const { send_window: window, rate_per_minute: rate, scheduled_at: at, draft } = changes;
  return {
    name: changes.name ?? before.name,
    audience: changes.audience ?? before.audience,
    send_window: window === undefined ? before.sendWindow : window,
    rate_per_minute: rate === undefined ? before.ratePerMinute : rate,
    scheduled_at: at === undefined ? (before.scheduledAt?.toISOString() ?? null) : at,
    workspace_id: changes.workspace_id ?? before.workspaceId,
    draft: draft ?? before.status === 'draft',
  };
}

/** The content after a change. `content`: the given fields. */
export function changedContent(
  before: Campaign,
  changes: object,
  content: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const cleared = Object.entries(changes).flatMap(([name, value]) => (value === null ? [name] : []));
  const replaced = Object.keys(content).flatMap((name) => REPLACED[name] ?? []);
  const kept = Object.entries(before.content).filter(([name]) => ![...cleared, ...replaced].includes(name));
  return { ...Object.fromEntries(kept), ...content };
}
