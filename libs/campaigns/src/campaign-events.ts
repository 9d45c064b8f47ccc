import { campaignCompleted, campaignPaused, campaignStarted } from '@heliograph/contracts';
import { addToOutbox, composeEvent } from '@heliograph/messaging';
import type { ClientBase } from 'pg';
import type { Campaign, CampaignStatus } from './campaign';
import { V1Campaign } from './campaign.dto';
import { CAMPAIGN_COLUMNS, campaignOf, type CampaignRow } from './campaign-rows';

const EVENTS = { running: campaignStarted, paused: campaignPaused, completed: campaignCompleted } as const;

/** Publishes the new status of a campaign, in the transaction of the change. Some statuses have no event. */
async function publishStatus(client: ClientBase, campaign: Campaign): Promise<void> {
  const contract = eventOf(campaign.status);
  if (!contract) return;
  const { id, organizationId, workspaceId } = campaign;
  const data = { campaignId: id, campaign: { ...V1Campaign.of(campaign) } };
  await addToOutbox(client, [composeEvent(contract, { organizationId, workspaceId, correlationId: id, data })]);
}

/** Like `publishStatus`, for the stored campaign. */
export async function publishStoredStatus(client: ClientBase, id: string): Promise<void> {
  const { rows } = await client.query<CampaignRow>(
    `SELECT ${CAMPAIGN_COLUMNS} FROM campaigns.campaigns AS c WHERE c.id = $1`,
    [id],
  );
  if (rows[0]) await publishStatus(client, campaignOf(rows[0]));
}

function eventOf(status: CampaignStatus): (typeof EVENTS)[keyof typeof EVENTS] | null {
  return status === 'running' || status === 'paused' || status === 'completed' ? EVENTS[status] : null;
}
