import { benchCustomer } from '@heliograph/bench-data';
import type { InvariantChecker } from '../invariant-checker';
import { expectedSubscriptionState, type SubscriptionState } from './expected-subscription-state';
import type { PaymentEvent } from './payment-event';
import type { PurchaseWorkload } from '../purchases/purchase-workload';
import type { PaymentWorkload } from './payment-workload';

const SEEDED_STATE: SubscriptionState = { plan: 'pro', status: 'active' };

interface PaymentRun {
  /** Null: not part of the run. */
  payments: PaymentWorkload | null;
  purchases: PurchaseWorkload | null;
  /** The file names of the receipts that were sent by email. */
  receipts: string[];
  customers: number;
}

/** Every acknowledged event took effect once, and every paid invoice has one receipt. */
export async function checkPayments(
  checker: InvariantChecker,
  { payments, purchases, receipts, customers }: PaymentRun,
): Promise<void> {
  const events = [...(payments?.acknowledged.values() ?? [])];
  const paid = new Map(events.filter(isPayment).map(({ data }) => [data.object.id, data.object]));
  const bought = [...paid.values()]
    .flatMap(({ lines }) => lines?.data ?? [])
    .filter(({ metadata }) => metadata.credits !== undefined);
  const checkouts = (purchases?.purchases ?? [])
    .filter(({ outcome }) => outcome.isPaid)
    .map(({ checkoutId }) => checkoutId);
  checker.add(payments?.problems ?? []);
  checker.sameEntries(
    'acknowledged and stored payment events',
    [...(payments?.acknowledged.keys() ?? []), ...(purchases?.acknowledged ?? [])],
    await checker.column('SELECT id FROM billing.events'),
  );
  await checker.noRows(
    'payment events without their effects',
    'SELECT id FROM billing.events WHERE settled_at IS NULL',
  );
  checker.sameEntries(
    'bought and granted credits',
    bought.map(({ id, metadata }) => `${id}: ${metadata.credits}`),
    await checker.column(
      `SELECT split_part(reference, ':', 3) || ': ' || amount FROM credits.ledger AS l
       JOIN tenancy.workspaces AS w ON w.id = l.workspace_id
       JOIN billing.invoices AS i ON i.id = split_part(reference, ':', 2) AND i.customer = w.billing_customer
       WHERE l.kind = 'topup' AND reference LIKE 'billing:%'`,
    ),
  );
  await checkSubscriptions(checker, events, customers);
  checker.sameEntries(
    'paid invoices and receipts',
    [...paid.keys(), ...checkouts],
    await checker.column('SELECT invoice_id FROM billing.receipts'),
  );
  checker.sameEntries(
    'paid invoices and emailed receipts',
    [...[...paid.values()].map(({ number }) => number), ...checkouts].map((number) => `receipt-R-${number}.pdf`),
    receipts,
  );
}

function isPayment({ type }: PaymentEvent): boolean {
  return type === 'invoice.payment_succeeded';
}

async function checkSubscriptions(
  checker: InvariantChecker,
  events: readonly PaymentEvent[],
  customers: number,
): Promise<void> {
  const { rows: arrivals } = await checker.database.query<{ id: string; arrival: string }>(
    'SELECT id, arrival::text FROM billing.events',
  );
  const arrivalOf = new Map(arrivals.map(({ id, arrival }) => [id, BigInt(arrival)]));
  const arrivedBefore = (one: PaymentEvent, other: PaymentEvent): boolean =>
    (arrivalOf.get(one.id) ?? 0n) < (arrivalOf.get(other.id) ?? 0n);
  for (let index = 0; index < customers; index++) {
    const customer = benchCustomer(index);
    const inOrder = events
      .filter(({ data }) => data.object.customer === customer)
      .sort((one, other) => one.created - other.created || (arrivedBefore(one, other) ? -1 : 1));
    const expected = JSON.stringify(expectedSubscriptionState(SEEDED_STATE, inOrder));
    const { rows } = await checker.database.query<SubscriptionState>(
      'SELECT plan, status FROM tenancy.workspaces WHERE billing_customer = $1',
      [customer],
    );
    const actual = JSON.stringify(rows[0]);
    if (actual === expected) continue;
    const history = inOrder.map(({ type, created, data }) => `${created} ${type} ${data.object.status ?? ''}`);
    checker.add([`${customer} is ${actual}, not ${expected}, after\n      ${history.join('\n      ')}`]);
  }
}
