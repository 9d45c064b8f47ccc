import { reconcile } from '@heliograph/credits';
import { GRANT } from '@heliograph/harness';
import type { Client } from 'pg';
import { isTopUp, TOP_UP_CREDITS } from '../calls/payment-events';
import { countOf } from './progress';

/** What must hold once all is settled, named by what is wrong when it does not. */
export async function brokenPayments(
  client: Client,
  { stored, customers }: { stored: number; customers: number },
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM billing.events');
  const numbers = rows.map(({ id }) => Number(/^evt_bench_(\d+)$/.exec(id)?.[1]));
  const topUps = numbers.filter(isTopUp).length;
  const checks: [string, number, number][] = [
    ['events acknowledged and stored', numbers.length, stored],
    ['ids that are none of the generator', numbers.filter(Number.isNaN).length, 0],
    [
      'events without their effects',
      await countOf(client, 'SELECT count(*) FROM billing.events WHERE settled_at IS NULL'),
      0,
    ],
    [
      'top-ups in the ledger',
      await countOf(client, `SELECT count(*) FROM credits.ledger WHERE reference LIKE 'billing:%' AND kind = 'topup'`),
      topUps,
    ],
    [
      'credits in the ledger',
      await countOf(client, 'SELECT sum(amount) FROM credits.ledger'),
      customers * GRANT + topUps * TOP_UP_CREDITS,
    ],
    ['receipts', await countOf(client, 'SELECT count(*) FROM billing.receipts'), topUps],
    ['balances that differ from their ledger', (await reconcile(client)).length, 0],
  ];
  return checks
    .filter(([, found, wanted]) => found !== wanted)
    .map(([what, found, wanted]) => `${what}: ${found}, not ${wanted}`);
}
