import { reconcile } from '@heliograph/credits';
import { GRANT } from '@heliograph/harness';
import type { PlatformTotals } from '@heliograph/simulators';
import type { Client } from 'pg';
import { countOf } from './progress';

export interface ChatappCounts {
  /** Calls that were answered with success. */
  sends: number;
  updates: number;
  platforms: PlatformTotals[];
}

/** What must hold once all is settled, named by what is wrong when it does not. */
export async function brokenChatapp(client: Client, { sends, updates, platforms }: ChatappCounts): Promise<string[]> {
  const workspaces = await countOf(client, 'SELECT count(*) FROM tenancy.workspaces');
  const outbound = (condition: string) =>
    countOf(client, `SELECT count(*) FROM chatapp.messages WHERE direction = 'outbound' AND ${condition}`);
  const checks: [string, number, number][] = [
    ['sends that are stored with the platform’s id', await outbound('upstream_id IS NOT NULL'), sends],
    ['sends that are stored without it', await outbound('upstream_id IS NULL'), 0],
    [
      'ids of the platform that are different',
      await countOf(client, `SELECT count(DISTINCT upstream_id) FROM chatapp.messages WHERE direction = 'outbound'`),
      sends,
    ],
    [
      'updates that are stored',
      await countOf(client, `SELECT count(*) FROM chatapp.messages WHERE direction = 'inbound'`),
      updates,
    ],
    [
      'credits in the ledger',
      await countOf(client, `SELECT sum(amount) FROM credits.ledger WHERE credit_type = 'chatapp'`),
      workspaces * GRANT -
        (await countOf(client, `SELECT coalesce(sum(price), 0) FROM chatapp.messages WHERE is_charged`)),
    ],
    ['balances that differ from their ledger', (await reconcile(client)).length, 0],
  ];
  // The yardstick's are among them.
  const least = platforms.reduce((sum, { accepted }) => sum + accepted, 0);
  if (least < sends) checks.push(['messages at the platform', least, sends]);
  return checks
    .filter(([, found, wanted]) => found !== wanted)
    .map(([what, found, wanted]) => `${what}: ${found}, not ${wanted}`);
}
