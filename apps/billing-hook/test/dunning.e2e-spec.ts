import { until } from '@heliograph/testing';
import { DunningSteps } from '../src/dunning/dunning-steps';
import { BillingFixture, nowSeconds, type BillingTenant } from './billing-fixture';
import { invoiceEvent, subscriptionEvent } from './payment-events';

const DAY = 86_400;

describe('dunning', () => {
  let billing: BillingFixture;
  beforeAll(async () => {
    billing = await BillingFixture.shared();
  });

  const daysAgo = (days: number) => nowSeconds() - Math.round(days * DAY);
  const fail = (tenant: BillingTenant, days: number, object: Record<string, unknown> = {}) =>
    billing.settle(invoiceEvent(tenant, 'payment_failed', object, { created: daysAgo(days) }));
  const pay = (tenant: BillingTenant, days = 0) =>
    billing.settle(invoiceEvent(tenant, 'payment_succeeded', {}, { created: daysAgo(days) }));
  const dunning = (tenant: BillingTenant) => billing.records.dunningOf(tenant);
  const reminded = async (tenant: BillingTenant, times: number) =>
    until(`${times} reminders were sent`, async () => {
      const state = await dunning(tenant);
      return state?.stepsTaken === times && state;
    });
  const locked = (tenant: BillingTenant) =>
    until('the workspace is locked', async () => (await billing.workspace(tenant)).status === 'locked');
  const purposes = (tenant: BillingTenant) =>
    billing.events(tenant, 'mail.requested').map(({ data }) => data['purpose']);

  it('starts with a reminder to the payer on the day of the first failure', async () => {
    const tenant = await billing.tenant();
    await fail(tenant, 0);
    const [mail] = await billing.mails(tenant, 1);
    expect(mail).toMatchObject({ purpose: 'payment-reminder', to: ['books@acme.example'], attachments: [] });
    expect(mail!.text).toContain('https://pay.processor.example/i/1');
    const state = await reminded(tenant, 1);
    expect(state.nextStepAt!.getTime() - state.firstFailureAt.getTime()).toBe(3 * DAY * 1000);
    expect(state).toMatchObject({ lockedAt: null, endedAt: null });
  });

  it('continues after a payment of zero, until the failed invoice or another payment settles the debt', async () => {
    const payZero = (tenant: BillingTenant, id: string, days: number) =>
      billing.settle(
        invoiceEvent(
          tenant,
          'payment_succeeded',
          { id, amount_due: 0, amount_paid: 0, subtotal: 0, total: 0 },
          { created: daysAgo(days) },
        ),
      );
    for (const isPaidLater of [true, false]) {
      const tenant = await billing.tenant();
      const failedInvoice = `in_failed_${tenant.customer}`;
      await fail(tenant, 2, { id: failedInvoice, amount_due: 1_000, total: 1_000 });
      await payZero(tenant, `in_trial_${tenant.customer}`, 1);
      expect((await billing.workspace(tenant)).status).toBe('past_due');
      expect(await dunning(tenant)).toMatchObject({ endedAt: null });
      if (isPaidLater) await pay(tenant);
      else await payZero(tenant, failedInvoice, 0.5);
      expect((await billing.workspace(tenant)).status).toBe('active');
      expect(await dunning(tenant)).toMatchObject({ endedAt: expect.any(Date) as Date });
    }
  });

  it('sends reminders to the owners if the invoice has no email address', async () => {
    const tenant = await billing.tenant();
    await fail(tenant, 0, { customer_email: null });
    expect((await billing.mails(tenant, 1))[0]).toMatchObject({ to: [tenant.ownerEmail] });
  });

  it.each([
    [2, 1, 3],
    [4, 2, 5],
    [6, 3, 7],
    [8, 4, 14],
  ])(
    'performs overdue steps immediately: %i days after the failure, %i reminders are sent, and the next step is on day %i',
    async (days, count, next) => {
      const tenant = await billing.tenant();
      await fail(tenant, days);
      await billing.mails(tenant, count);
      const state = await reminded(tenant, count);
      expect(state.nextStepAt!.getTime() - state.firstFailureAt.getTime()).toBe(next * DAY * 1000);
      expect((await billing.workspace(tenant)).status).toBe('past_due');
    },
  );

  it('locks the workspace on day 14, after all reminders in order, and sends an email about it', async () => {
    const tenant = await billing.tenant();
    await fail(tenant, 14.1);
    await locked(tenant);
    const mails = await billing.mails(tenant, 5);
    expect(mails.map(({ purpose }) => purpose)).toEqual([
      ...Array.from({ length: 4 }, () => 'payment-reminder'),
      'workspace-locked',
    ]);
    expect(new Set(mails.map(({ subject }) => subject)).size).toBe(5);
    expect(await dunning(tenant)).toMatchObject({ stepsTaken: 5, nextStepAt: null, endedAt: null });
    expect((await dunning(tenant))!.lockedAt).not.toBeNull();
  });

  it('does not lock before day 14', async () => {
    const tenant = await billing.tenant();
    await fail(tenant, 13.9);
    await reminded(tenant, 4);
    expect((await billing.workspace(tenant)).status).toBe('past_due');
  });

  it('ends with a payment, which unlocks the workspace', async () => {
    const tenant = await billing.tenant();
    await fail(tenant, 20);
    await locked(tenant);
    await pay(tenant);
    expect((await billing.workspace(tenant)).status).toBe('active');
    const state = await dunning(tenant);
    expect([state!.nextStepAt, state!.endedAt === null]).toEqual([null, false]);
  });

  it('ends when the failed subscription becomes active, but not when another one does', async () => {
    const tenant = await billing.tenant();
    await fail(tenant, 20, { subscription: `sub_of_${tenant.customer}` });
    await locked(tenant);
    await billing.settle(subscriptionEvent(tenant, 'updated', { id: 'sub_other' }));
    expect((await billing.workspace(tenant)).status).toBe('locked');
    await billing.settle(subscriptionEvent(tenant, 'updated'));
    expect((await billing.workspace(tenant)).status).toBe('active');
  });

  it('continues when the subscription ends, until the debt is paid', async () => {
    const tenant = await billing.tenant();
    await fail(tenant, 20);
    await locked(tenant);
    await billing.settle(subscriptionEvent(tenant, 'deleted'));
    expect(await billing.workspace(tenant)).toEqual({ plan: 'free', status: 'locked' });
    await pay(tenant);
    expect(await billing.workspace(tenant)).toEqual({ plan: 'free', status: 'canceled' });
  });

  it('counts from the first failure and ignores later failures', async () => {
    const tenant = await billing.tenant();
    await fail(tenant, 4);
    await reminded(tenant, 2);
    await fail(tenant, 1, { number: 'ACME-0002' });
    await fail(tenant, 0);
    expect(await dunning(tenant)).toMatchObject({ stepsTaken: 2 });
    await fail(tenant, 6);
    await reminded(tenant, 3);
    await fail(tenant, 15);
    await locked(tenant);
    expect(await billing.mails(tenant, 5)).toHaveLength(5);
  });

  it('starts again with the first failure after a payment', async () => {
    const tenant = await billing.tenant();
    await fail(tenant, 20);
    await locked(tenant);
    await pay(tenant, 10);
    await fail(tenant, 4);
    const state = await until('the second dunning has started', async () => {
      const now = await dunning(tenant);
      return now?.endedAt === null && now.stepsTaken === 2 && now;
    });
    expect(Math.round((Date.now() - state.firstFailureAt.getTime()) / DAY / 1000)).toBe(4);
    expect((await billing.workspace(tenant)).status).toBe('past_due');
  });

  it('does not start for a failure that is older than a payment', async () => {
    const tenant = await billing.tenant();
    await pay(tenant, 1);
    await fail(tenant, 20);
    expect(await dunning(tenant)).toBeNull();
    expect((await billing.workspace(tenant)).status).toBe('active');
  });

  it('performs every step once with several workers', async () => {
    const others = [await billing.beside(), await billing.beside()];
    try {
      const tenants = await Promise.all(Array.from({ length: 6 }, () => billing.tenant()));
      await Promise.all(tenants.map((tenant) => fail(tenant, 20)));
      // All workers perform the next step concurrently, several times.
      const workers = [billing.service, ...others].map(({ app }) => app.get(DunningSteps));
      const all = tenants.flatMap(({ customer }) => workers.map((worker) => () => worker.performNext(customer)));
      for (let round = 0; round < 5; round++) await Promise.all(all.map((take) => take()));
      await Promise.all(tenants.map(locked));
      for (const tenant of tenants) await billing.mails(tenant, 5);
      // The receipt of a payment arrives after all earlier emails.
      await Promise.all(tenants.map((tenant) => pay(tenant)));
      await until('the receipts are requested', () => tenants.every((tenant) => purposes(tenant).includes('receipt')));
      for (const tenant of tenants) expect(purposes(tenant)).toHaveLength(6);
    } finally {
      for (const other of others) await other.stop();
    }
  });

  it('sends no reminders without a recipient, and still locks the workspace', async () => {
    const tenant = await billing.tenant();
    await billing.database.query('DELETE FROM users.members WHERE organization_id = $1', [tenant.organizationId]);
    await fail(tenant, 20, { customer_email: null });
    await locked(tenant);
    expect(billing.events(tenant, 'mail.requested')).toEqual([]);
  });

  it('ends when the customer no longer pays for the workspace, and is not visible to other tenants', async () => {
    const tenant = await billing.tenant();
    const other = await billing.tenant();
    await fail(tenant, 1);
    await reminded(tenant, 1);
    expect(await dunning({ ...tenant, organizationId: other.organizationId })).toBeNull();
    expect(await dunning({ ...tenant, workspaceId: other.workspaceId })).toBeNull();
    await billing.database.query('UPDATE tenancy.workspaces SET billing_customer = NULL WHERE id = $1', [
      tenant.workspaceId,
    ]);
    await billing.database.query('UPDATE billing.dunnings SET next_step_at = now() WHERE customer = $1', [
      tenant.customer,
    ]);
    await billing.database.query(
      `UPDATE billing.dunnings SET first_failure_at = first_failure_at - interval '3 days' WHERE customer = $1`,
      [tenant.customer],
    );
    await until('the dunning has ended', async () => (await dunning(tenant))?.endedAt);
    expect(purposes(tenant)).toEqual(['payment-reminder']);
  });
});

describe('dunning with short days', () => {
  it('continues after restarts, and sends each email once', async () => {
    const billing = await BillingFixture.start({ BILLING_DUNNING_DAY_SECONDS: '0.5' });
    try {
      const tenant = await billing.tenant();
      await billing.settle(invoiceEvent(tenant, 'payment_failed', {}, { created: nowSeconds() }));
      await billing.mails(tenant, 1);
      await billing.restart();
      await billing.mails(tenant, 3);
      await billing.restart();
      const status = async () => (await billing.workspace(tenant)).status;
      await until('the workspace is locked', async () => (await status()) === 'locked');
      const mails = await billing.mails(tenant, 5);
      expect(mails.map(({ purpose }) => purpose)).toEqual([
        ...Array.from({ length: 4 }, () => 'payment-reminder'),
        'workspace-locked',
      ]);
      await billing.settle(invoiceEvent(tenant, 'payment_succeeded'));
      expect(await status()).toBe('active');
      await billing.mails(tenant, 6);
      expect(billing.events(tenant, 'mail.requested')).toHaveLength(6);
    } finally {
      await billing.stop();
    }
  });
});
