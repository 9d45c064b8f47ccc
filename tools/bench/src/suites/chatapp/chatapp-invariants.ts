import { reconcile } from '@heliograph/credits';
import { GRANT } from '@heliograph/harness';
import type { ProviderTotals } from '@heliograph/simulators';
import type { Client } from 'pg';
import { numberOf, violationsOf, type Invariant } from '../queries';

export interface ChatappCounts {
  /** Successful sends and updates. */
  sends: number;
  updates: number;
  /** The totals of the providers. */
  totals: ProviderTotals[];
}

export async function chatappViolations(client: Client, { sends, updates, totals }: ChatappCounts): Promise<string[]> {
  const workspaces = await numberOf(client, 'SELECT count(*) FROM tenancy.workspaces');
  const spent = await numberOf(client, 'SELECT coalesce(sum(price), 0) FROM chatapp.messages WHERE is_charged');
  const outbound = (expression: string, condition = 'true'): Promise<number> =>
    numberOf(client, `SELECT ${expression} FROM chatapp.messages WHERE direction = 'outbound' AND ${condition}`);
  const invariants: Invariant[] = [
    ['sends stored with the provider’s id', await outbound('count(*)', 'upstream_id IS NOT NULL'), sends],
    ['sends stored without the provider’s id', await outbound('count(*)', 'upstream_id IS NULL'), 0],
    ['distinct ids of the provider', await outbound('count(DISTINCT upstream_id)'), sends],
    [
      'stored updates',
      await numberOf(client, `SELECT count(*) FROM chatapp.messages WHERE direction = 'inbound'`),
      updates,
    ],
    [
      'credits in the ledger',
      await numberOf(client, `SELECT sum(amount) FROM credits.ledger WHERE credit_type = 'chatapp'`),
      workspaces * GRANT - spent,
    ],
    ['balances that differ from the ledger', (await reconcile(client)).length, 0],
  ];
  // The providers also count the messages of the reference.
  const accepted = totals.reduce((sum, total) => sum + total.accepted, 0);
  if (accepted < sends) invariants.push(['messages at the providers', accepted, sends]);
  return violationsOf(invariants);
}
