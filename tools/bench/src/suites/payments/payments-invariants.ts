import { reconcile } from '@heliograph/credits';
import { GRANT } from '@heliograph/harness';
import type { Client } from 'pg';
import { isTopUp, TOP_UP_CREDITS } from '../../calls/payment-events';
import { numberOf, violationsOf } from '../queries';

export async function paymentViolations(
  client: Client,
  { stored, customers }: { stored: number; customers: number },
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM billing.events');
  const numbers = rows.map(({ id }) => Number(/^evt_bench_(\d+)$/.exec(id)?.[1]));
  const topUps = numbers.filter(isTopUp).length;
  return violationsOf([
    ['stored events', numbers.length, stored],
    ['events of another origin', numbers.filter(Number.isNaN).length, 0],
    [
      'events without their effects',
      await numberOf(client, 'SELECT count(*) FROM billing.events WHERE settled_at IS NULL'),
      0,
    ],
    [
      'top-ups in the ledger',
      await numberOf(client, `SELECT count(*) FROM credits.ledger WHERE reference LIKE 'billing:%' AND kind = 'topup'`),
      topUps,
    ],
    [
      'credits in the ledger',
      await numberOf(client, 'SELECT sum(amount) FROM credits.ledger'),
      customers * GRANT + topUps * TOP_UP_CREDITS,
    ],
    ['receipts', await numberOf(client, 'SELECT count(*) FROM billing.receipts'), topUps],
    ['balances that differ from the ledger', (await reconcile(client)).length, 0],
  ]);
}
