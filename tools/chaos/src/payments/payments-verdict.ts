import { benchCustomer } from '@heliograph/harness';
import type { Client } from 'pg';
import { differences } from '../differences';
import { expectedStanding, type Standing } from './expected-standing';
import type { InvoiceLine, PaymentEvent } from './payment-event';
import type { Processor } from './processor';

const SEEDED: Standing = { plan: 'pro', status: 'active' };

interface Outcome {
  processor: Processor;
  /** The files of those that were mailed. */
  receipts: string[];
  payers: number;
}

/** What is wrong with the payments after a run. */
export async function paymentViolations(client: Client, { processor, receipts, payers }: Outcome): Promise<string[]> {
  const events = [...processor.acknowledged.values()];
  const { rows: stored } = await client.query<StoredEvent>(
    `SELECT id, arrival::text, settled_at IS NOT NULL AS settled FROM billing.events`,
  );
  const arrivals = new Map(stored.map(({ id, arrival }) => [id, BigInt(arrival)]));
  const paid = new Map(events.filter(isPayment).map(({ data }) => [data.object.id, data.object]));
  return [
    ...processor.problems,
    ...differences('events acknowledged and stored', [...processor.acknowledged.keys()], [...arrivals.keys()]),
    ...stored.filter(({ settled }) => !settled).map(({ id }) => `the event ${id} has no effects`),
    ...(await wrongTopUps(
      client,
      [...paid.values()].flatMap(({ lines }) => lines?.data ?? []),
    )),
    ...(await wrongStandings(client, events, arrivals, payers)),
    ...differences('receipts and paid invoices', await column(client, 'SELECT invoice_id FROM billing.receipts'), [
      ...paid.keys(),
    ]),
    ...differences(
      'receipts mailed and paid invoices',
      receipts,
      [...paid.values()].map(({ number }) => `receipt-R-${number}.pdf`),
    ),
  ];
}

interface StoredEvent {
  id: string;
  arrival: string;
  settled: boolean;
}

function isPayment({ type }: PaymentEvent): boolean {
  return type === 'invoice.payment_succeeded';
}

/** Each purchase once, with its amount, for its payer; and nothing besides. */
async function wrongTopUps(client: Client, lines: InvoiceLine[]): Promise<string[]> {
  const bought = lines
    .filter(({ metadata }) => metadata.credits !== undefined)
    .map(({ id, metadata }) => `${id}: ${metadata.credits}`);
  const given = await column(
    client,
    `SELECT split_part(reference, ':', 3) || ': ' || amount FROM credits.ledger AS l
     JOIN tenancy.workspaces AS w ON w.id = l.workspace_id
     JOIN billing.invoices AS i ON i.id = split_part(reference, ':', 2) AND i.customer = w.billing_customer
     WHERE l.kind = 'topup' AND reference LIKE 'billing:%'`,
  );
  return differences('top-ups bought and given', bought, given);
}

async function wrongStandings(
  client: Client,
  events: PaymentEvent[],
  arrivals: Map<string, bigint>,
  payers: number,
): Promise<string[]> {
  const wrong: string[] = [];
  for (let index = 0; index < payers; index++) {
    const customer = benchCustomer(index);
    const arrivalOf = ({ id }: PaymentEvent): bigint => arrivals.get(id) ?? 0n;
    const inOrder = events
      .filter(({ data }) => data.object.customer === customer)
      .sort((a, b) => a.created - b.created || (arrivalOf(a) < arrivalOf(b) ? -1 : 1));
    const expected = JSON.stringify(expectedStanding(SEEDED, inOrder));
    const { rows } = await client.query<Standing>(
      'SELECT plan, status FROM tenancy.workspaces WHERE billing_customer = $1',
      [customer],
    );
    const found = JSON.stringify(rows[0]);
    if (found === expected) continue;
    const story = inOrder.map(({ type, created, data }) => `${created} ${type} ${data.object.status ?? ''}`);
    wrong.push(`${customer} stands ${found}, not ${expected}, after\n      ${story.join('\n      ')}`);
  }
  return wrong;
}

async function column(client: Client, text: string): Promise<string[]> {
  const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
  return rows.map(([value]) => String(value));
}
