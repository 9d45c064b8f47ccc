import fc from 'fast-check';
import { balanceOf } from '@heliograph/credits';
import { poolOf } from '@heliograph/database';
import { BillingFixture, nowSeconds, type BillingTenant, type PaymentEvent } from './billing-fixture';
import { invoiceEvent, subscriptionEvent } from './payment-events';

const BEGIN = nowSeconds() - 100;

describe('the order of events', () => {
  let billing: BillingFixture;
  beforeAll(async () => {
    billing = await BillingFixture.shared();
  });

  const history = (tenant: BillingTenant): PaymentEvent[] => {
    const invoice = {
      id: `in_${tenant.customer}`,
      lines: { data: [{ id: 'il_1', amount: 1, metadata: { credit_type: 'sms', credits: 50 } }] },
    };
    return [
      subscriptionEvent(tenant, 'created', { metadata: { plan: 'gold' } }),
      invoiceEvent(tenant, 'payment_failed', invoice),
      subscriptionEvent(tenant, 'updated', { status: 'past_due' }),
      invoiceEvent(tenant, 'payment_succeeded', invoice),
      subscriptionEvent(tenant, 'updated', { metadata: { plan: 'silver' } }),
      subscriptionEvent(tenant, 'paused'),
      subscriptionEvent(tenant, 'updated', { status: 'active', cancel_at_period_end: true }),
      invoiceEvent(tenant, 'payment_failed', { id: `in_2_${tenant.customer}` }),
    ].map((event, second) => ({ ...event, created: BEGIN + second, id: `evt_${tenant.customer}_${second}` }));
  };

  const outcome = async (tenant: BillingTenant) => {
    const pool = poolOf(billing.tenants.dataSource);
    const { workspaceId } = tenant;
    const dunning = await billing.records.dunningOf(tenant);
    const subscription = await billing.records.subscriptionOf(tenant);
    const invoices = await billing.database.query<{ status: string; amount_paid: string }>(
      'SELECT status, amount_paid FROM billing.invoices WHERE workspace_id = $1 ORDER BY created_at, id',
      [workspaceId],
    );
    return {
      workspace: await billing.workspace(tenant),
      subscription: subscription && {
        status: subscription.status,
        plan: subscription.plan,
        currentPeriodEnd: subscription.currentPeriodEnd,
        cancelAtPeriodEnd: subscription.cancelAtPeriodEnd,
      },
      owesSince: dunning?.endedAt === null ? dunning.firstFailureAt : null,
      invoices: invoices.map(({ status, amount_paid }) => `${status} ${amount_paid}`).sort(),
      credits: await balanceOf(pool, workspaceId, 'sms'),
    };
  };

  const play = async (order: number[], select = order) => {
    const tenant = await billing.tenant();
    const events = history(tenant);
    for (const index of order) await billing.settle(events[index]!);
    await billing.settled(...select.map((index) => events[index]!.id!));
    return outcome(tenant);
  };

  it('does not affect the result, and neither do repetitions', async () => {
    const all = [0, 1, 2, 3, 4, 5, 6, 7];
    const expected = await play(all);
    expect(expected).toMatchObject({
      workspace: { plan: 'silver', status: 'past_due' },
      subscription: { status: 'active', plan: 'silver', cancelAtPeriodEnd: true },
      owesSince: new Date((BEGIN + 7) * 1000),
      invoices: ['failed 0', 'paid 4900'],
      credits: 50,
    });
    const orders = fc
      .array(fc.constantFrom(...all), { maxLength: 3 })
      .chain((repeats) => fc.shuffledSubarray([...all, ...repeats], { minLength: all.length + repeats.length }));
    await fc.assert(
      fc.asyncProperty(orders, async (order) => expect(await play(order)).toEqual(expected)),
      { numRuns: 8, endOnFailure: true, examples: [[all.toReversed()]] },
    );
  });

  it('does not affect the result when all events arrive concurrently', async () => {
    const tenants = await Promise.all(Array.from({ length: 4 }, () => billing.tenant()));
    const events = tenants.flatMap(history);
    await Promise.all([...events, ...events.toReversed()].map((event) => billing.send(event)));
    await billing.settled(...events.map(({ id }) => id!));
    const outcomes = await Promise.all(tenants.map(outcome));
    for (const each of outcomes) {
      expect(each).toMatchObject({ workspace: { plan: 'silver', status: 'past_due' }, credits: 50 });
    }
  });

  it('decides between two events of the same second, of which the later arrival is used', async () => {
    const created = BEGIN;
    for (const [first, second] of [
      ['active', 'past_due'],
      ['past_due', 'active'],
    ] as const) {
      const tenant = await billing.tenant();
      for (const status of [first, second])
        await billing.settle(subscriptionEvent(tenant, 'updated', { status }, { created }));
      expect((await billing.workspace(tenant)).status).toBe(second);
    }
  });
});
