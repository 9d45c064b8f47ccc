import fc from 'fast-check';
import { unique, until } from '@heliograph/testing';
import { BillingFixture, nowSeconds, type BillingTenant } from './billing-fixture';
import { subscriptionEvent } from './payment-events';

describe('an event about a subscription', () => {
  let billing: BillingFixture;
  beforeAll(async () => {
    billing = await BillingFixture.start({
      BILLING_PLANS: JSON.stringify({ business_monthly: 'business', price_123: 'starter' }),
    });
  });
  afterAll(() => billing.stop());

  const NOW = nowSeconds();
  const record = (tenant: BillingTenant) => billing.records.subscriptionOf(tenant);

  describe('customer.subscription.created', () => {
    it('activates the subscription and upgrades the plan', async () => {
      const tenant = await billing.tenant({ plan: 'free', status: 'canceled' });
      await billing.settle(subscriptionEvent(tenant, 'created'));
      expect(await billing.workspace(tenant)).toEqual({ plan: 'pro', status: 'active' });
      const [changed] = await until('the event is published', () => {
        const events = billing.events(tenant, 'billing.subscription.changed');
        return events.length > 0 && events;
      });
      expect(changed).toMatchObject({
        organizationId: tenant.organizationId,
        data: { subscriptionId: `sub_of_${tenant.customer}`, status: 'active', plan: 'pro' },
      });
      expect(billing.events(tenant, 'workspace.changed')).toMatchObject([
        { data: { plan: 'pro', status: 'active', previousPlan: 'free', previousStatus: 'canceled' } },
      ]);
    });

    it.each([
      [
        'the lookup key of its price',
        { items: { data: [{ price: { id: 'price_9', lookup_key: 'business_monthly' } }] } },
      ],
      ['the older plan object', { plan: { id: 'business_monthly' } }],
    ])('sets the plan from %s', async (_from, object) => {
      const tenant = await billing.tenant();
      await billing.settle(subscriptionEvent(tenant, 'created', object));
      expect((await billing.workspace(tenant)).plan).toBe('business');
    });

    it.each([
      ['the id of its price', { items: { data: [{ price: { id: 'price_123' } }] } }, 'starter'],
      [
        'its metadata if no price is mapped',
        { items: { data: [{ price: { id: 'p' } }] }, metadata: { plan: 'gold' } },
        'gold',
      ],
      ['nothing: pro', { items: { data: [{ price: { id: 'p' } }] } }, 'pro'],
    ])('sets the plan from %s', async (_from, object, plan) => {
      const tenant = await billing.tenant();
      await billing.settle(subscriptionEvent(tenant, 'created', object));
      expect((await billing.workspace(tenant)).plan).toBe(plan);
    });

    it('grants no plan before the first payment, and none if that never arrives', async () => {
      const tenant = await billing.tenant();
      const first = { id: 'sub_1', metadata: { plan: 'gold' } };
      await billing.settle(subscriptionEvent(tenant, 'created', { ...first, status: 'incomplete' }));
      expect(await billing.workspace(tenant)).toEqual({ plan: 'free', status: 'active' });
      await billing.settle(subscriptionEvent(tenant, 'updated', { ...first, status: 'incomplete_expired' }));
      expect((await billing.workspace(tenant)).plan).toBe('free');
      const second = { id: 'sub_2', metadata: { plan: 'gold' } };
      await billing.settle(subscriptionEvent(tenant, 'created', { ...second, status: 'incomplete' }));
      await billing.settle(subscriptionEvent(tenant, 'updated', { ...second, status: 'active' }));
      expect(await billing.workspace(tenant)).toEqual({ plan: 'gold', status: 'active' });
    });

    it('that waits for its payment keeps the plan of an active subscription', async () => {
      const tenant = await billing.tenant();
      await billing.settle(subscriptionEvent(tenant, 'created', { id: 'sub_1', metadata: { plan: 'silver' } }));
      const upgrade = { id: 'sub_2', status: 'incomplete', metadata: { plan: 'gold' } };
      await billing.settle(subscriptionEvent(tenant, 'created', upgrade));
      expect(await billing.workspace(tenant)).toEqual({ plan: 'silver', status: 'active' });
    });

    it('can contain an expanded customer', async () => {
      const tenant = await billing.tenant();
      const event = subscriptionEvent(tenant, 'created', { customer: { id: tenant.customer, object: 'customer' } });
      await billing.settle(event);
      expect((await billing.workspace(tenant)).plan).toBe('pro');
    });

    it('passes the request id of the call to the resulting events', async () => {
      const tenant = await billing.tenant();
      const correlationId = `call-${unique()}`;
      const id = await billing.send(subscriptionEvent(tenant, 'created'), {
        headers: { 'X-Request-Id': correlationId },
      });
      await billing.settled(id);
      const [event] = await until('the event is published', () => {
        const events = billing.events(tenant, 'workspace.changed');
        return events.length > 0 && events;
      });
      expect(event).toMatchObject({ correlationId });
    });
  });

  describe('customer.subscription.updated', () => {
    it.each([
      ['active', 'active'],
      ['trialing', 'active'],
      ['past_due', 'past_due'],
      ['unpaid', 'past_due'],
      ['canceled', 'canceled'],
      ['incomplete_expired', 'canceled'],
    ])('maps the status %s to %s', async (status, expected) => {
      const tenant = await billing.tenant({ status: expected === 'active' ? 'past_due' : 'active' });
      await billing.settle(subscriptionEvent(tenant, 'updated', { status }));
      expect((await billing.workspace(tenant)).status).toBe(expected);
      expect(await record(tenant)).toMatchObject({ status });
    });

    it('keeps the plan if it contains none, and changes it otherwise', async () => {
      const tenant = await billing.tenant();
      await billing.settle(subscriptionEvent(tenant, 'created', { metadata: { plan: 'gold' } }));
      await billing.settle(subscriptionEvent(tenant, 'updated', { status: 'past_due' }));
      expect(await billing.workspace(tenant)).toEqual({ plan: 'gold', status: 'past_due' });
      await billing.settle(subscriptionEvent(tenant, 'updated', { metadata: { plan: 'silver' } }));
      expect(await billing.workspace(tenant)).toEqual({ plan: 'silver', status: 'active' });
    });

    it.each([
      ['on the item', { items: { data: [{ current_period_end: 1_800_000_000, price: { id: 'p' } }] } }],
      ['on the subscription', { current_period_end: 1_800_000_000 }],
    ])('is stored with the end of the period %s', async (_where, object) => {
      const tenant = await billing.tenant();
      await billing.settle(subscriptionEvent(tenant, 'updated', { ...object, cancel_at_period_end: true }));
      expect(await record(tenant)).toMatchObject({
        subscriptionId: `sub_of_${tenant.customer}`,
        status: 'active',
        plan: 'pro',
        currentPeriodEnd: new Date(1_800_000_000_000),
        cancelAtPeriodEnd: true,
      });
    });

    it('with an unknown status is applied without an effect', async () => {
      const tenant = await billing.tenant();
      await billing.settle(subscriptionEvent(tenant, 'updated', { status: 'dancing' }));
      expect(await billing.workspace(tenant)).toEqual({ plan: 'free', status: 'active' });
    });
  });

  describe('customer.subscription.deleted', () => {
    it('sets the workspace to the free plan', async () => {
      const tenant = await billing.tenant();
      await billing.settle(subscriptionEvent(tenant, 'created'));
      await billing.settle(subscriptionEvent(tenant, 'deleted'));
      expect(await billing.workspace(tenant)).toEqual({ plan: 'free', status: 'canceled' });
      expect(await record(tenant)).toMatchObject({ status: 'canceled' });
    });

    it('keeps the plan of another active subscription, whichever of them is deleted', async () => {
      for (const deleted of ['sub_a', 'sub_b', 'sub_unknown']) {
        const tenant = await billing.tenant();
        await billing.settle(subscriptionEvent(tenant, 'created', { id: 'sub_a' }));
        await billing.settle(subscriptionEvent(tenant, 'created', { id: 'sub_b' }));
        await billing.settle(subscriptionEvent(tenant, 'deleted', { id: deleted }));
        expect(await billing.workspace(tenant)).toEqual({ plan: 'pro', status: 'active' });
      }
    });

    it('keeps the plan of a newer subscription if no event of the deleted one was seen before, for any order', async () => {
      const started = { created: NOW - 1_000_000, start_date: NOW - 1_000_000 };
      const play = async (order: number[]) => {
        const tenant = await billing.tenant();
        const events = [
          subscriptionEvent(
            tenant,
            'created',
            { id: 'sub_b', created: NOW - 300, start_date: NOW - 300, metadata: { plan: 'gold' } },
            { created: NOW - 300 },
          ),
          subscriptionEvent(tenant, 'deleted', { id: 'sub_a', ...started }, { created: NOW - 200 }),
          subscriptionEvent(tenant, 'paused', { id: 'sub_c', ...started }, { created: NOW - 100 }),
          subscriptionEvent(tenant, 'updated', { id: 'sub_d', ...started, status: 'past_due' }, { created: NOW - 50 }),
        ];
        for (const index of order) await billing.settle(events[index]!);
        expect(await billing.workspace(tenant)).toEqual({ plan: 'gold', status: 'active' });
      };
      const orders = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 });
      await fc.assert(fc.asyncProperty(orders, play), { numRuns: 6, endOnFailure: true, examples: [[[0, 1, 2, 3]]] });
    });

    it('keeps the plan of the subscription that replaced the deleted one, for any order of the events', async () => {
      const ending = { id: 'sub_a', metadata: { plan: 'gold' } };
      const play = async (order: number[]) => {
        const tenant = await billing.tenant();
        const events = [
          subscriptionEvent(tenant, 'created', ending, { created: NOW - 10 }),
          subscriptionEvent(tenant, 'created', { id: 'sub_b', metadata: { plan: 'silver' } }, { created: NOW - 9 }),
          subscriptionEvent(tenant, 'updated', { ...ending, cancel_at_period_end: true }, { created: NOW - 8 }),
          subscriptionEvent(tenant, 'deleted', ending, { created: NOW - 7 }),
        ];
        for (const index of order) await billing.settle(events[index]!);
        expect(await billing.workspace(tenant)).toEqual({ plan: 'silver', status: 'active' });
        expect(await record(tenant)).toMatchObject({ subscriptionId: 'sub_b', status: 'active' });
      };
      const orders = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 });
      await fc.assert(fc.asyncProperty(orders, play), {
        numRuns: 8,
        endOnFailure: true,
        examples: [[[0, 1, 2, 3]], [[3, 2, 1, 0]], [[0, 2, 3, 1]]],
      });
    });

    it.each([
      ['sub_a', 'sub_b'],
      ['sub_b', 'sub_a'],
    ])('sets the workspace to the free plan after %s and %s are both deleted', async (first, second) => {
      const tenant = await billing.tenant();
      await billing.settle(subscriptionEvent(tenant, 'created', { id: 'sub_a' }, { created: NOW - 10 }));
      await billing.settle(subscriptionEvent(tenant, 'created', { id: 'sub_b' }, { created: NOW - 9 }));
      await billing.settle(subscriptionEvent(tenant, 'deleted', { id: first }, { created: NOW - 8 }));
      await billing.settle(subscriptionEvent(tenant, 'deleted', { id: second }, { created: NOW - 7 }));
      expect(await billing.workspace(tenant)).toEqual({ plan: 'free', status: 'canceled' });
    });
  });

  describe('that cannot be applied', () => {
    it.each([
      ['an unknown customer', 'cus_of_nobody'],
      ['a missing customer', undefined],
      ['a customer of an invalid type', 7],
      ['an expanded customer without an id', { object: 'customer' }],
      ['a customer with SQL', "x'; DROP TABLE billing.events; --"],
    ])('because of %s is acknowledged and stored', async (_what, customer) => {
      const id = await billing.settle(subscriptionEvent({ customer: 'x' }, 'created', { customer }));
      expect(await billing.database.query('SELECT FROM billing.events WHERE id = $1', [id])).toHaveLength(1);
    });

    it.each([
      ['a missing id', { id: undefined }],
      ['an id of an invalid type', { id: { nested: true } }],
      ['prices of an invalid type', { items: 'none', plan: [], metadata: 7, status: 'canceled', id: undefined }],
    ])('because of %s changes nothing', async (_what, object) => {
      const tenant = await billing.tenant();
      await billing.settle(subscriptionEvent(tenant, 'updated', object));
      expect(await billing.workspace(tenant)).toEqual({ plan: 'free', status: 'active' });
    });

    it.each(['__proto__', 'constructor', 'toString'])(
      'because of the price id %s does not set a plan from the prototype',
      async (id) => {
        const tenant = await billing.tenant();
        await billing.settle(subscriptionEvent(tenant, 'created', { items: { data: [{ price: { id } }] } }));
        expect((await billing.workspace(tenant)).plan).toBe('pro');
      },
    );
  });

  it('never changes the workspace of another tenant', async () => {
    const mine = await billing.tenant();
    const theirs = await billing.tenant();
    await billing.settle(subscriptionEvent(mine, 'paused'));
    expect(await billing.workspace(theirs)).toEqual({ plan: 'free', status: 'active' });
    expect(await record({ ...theirs, workspaceId: mine.workspaceId })).toBeNull();
    expect(await record({ ...mine, workspaceId: theirs.workspaceId })).toBeNull();
  });

  it('does not override a change by an operator unless it is newer', async () => {
    const tenant = await billing.tenant();
    const event = subscriptionEvent(tenant, 'created', {}, { created: NOW - 10 });
    await billing.settle(event);
    await billing.database.query(`UPDATE tenancy.workspaces SET plan = 'special' WHERE id = $1`, [tenant.workspaceId]);
    await billing.settle(subscriptionEvent(tenant, 'created', {}, { created: NOW - 20 }));
    expect((await billing.workspace(tenant)).plan).toBe('special');
    await billing.settle(subscriptionEvent(tenant, 'updated', {}, { created: NOW - 5 }));
    expect((await billing.workspace(tenant)).plan).toBe('pro');
  });

  it('does not unlock a workspace that an operator locked when one of two active subscriptions ends', async () => {
    const tenant = await billing.tenant();
    await billing.settle(subscriptionEvent(tenant, 'created', { id: 'sub_a' }, { created: NOW - 10 }));
    await billing.settle(subscriptionEvent(tenant, 'created', { id: 'sub_b' }, { created: NOW - 9 }));
    await billing.database.query(`UPDATE tenancy.workspaces SET status = 'locked' WHERE id = $1`, [tenant.workspaceId]);
    await billing.settle(subscriptionEvent(tenant, 'deleted', { id: 'sub_a' }));
    expect((await billing.workspace(tenant)).status).toBe('locked');
    await billing.settle(subscriptionEvent(tenant, 'updated', { id: 'sub_b' }));
    expect((await billing.workspace(tenant)).status).toBe('active');
  });
});
