import type { clientOf } from '@heliograph/database';

/** Deletes the stored audience of a campaign that ends, or that is changed while its audience is being stored. */
export async function deleteAudience(client: Awaited<ReturnType<typeof clientOf>>, campaignId: string): Promise<void> {
  await client.query('DELETE FROM campaigns.members WHERE campaign_id = $1', [campaignId]);
  await client.query('DELETE FROM campaigns.zones WHERE campaign_id = $1', [campaignId]);
}
