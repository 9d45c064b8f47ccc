import type { Purchase } from '@heliograph/billing';
import { post, reconcile } from '@heliograph/credits';
import { newId } from '@heliograph/database';
import { unique, until } from '@heliograph/testing';
import { signProcessorPayload } from '@heliograph/secrets';
import { BillingFixture, nowSeconds, SECRET, type BillingTenant } from './billing-fixture';
import { completed, expired, PurchaseFixture, refunded } from './purchase-fixture';

describe('an event about a purchase of credits', () => {
  let billing: BillingFixture;
  let purchases: PurchaseFixture;
  beforeAll(async () => {
    billing = await BillingFixture.shared();
    purchases = new PurchaseFixture(billing);
  });

  const pool = () => purchases.pool;
  const balance = (tenant: BillingTenant) => purchases.balance(tenant);
  const pending = (tenant: BillingTenant) => purchases.pending(tenant);
  const stored = (purchase: Purchase) => purchases.stored(purchase);

  it('adds the credits once, for repeated events and for several events about the same payment', async () => {
    const tenant = await billing.tenant();
    const purchase = await pending(tenant);
    const ids = await Promise.all(Array.from({ length: 6 }, () => billing.send(completed(purchase))));
    await billing.settled(...ids);
    expect(await balance(tenant)).toBe(2_000);
    expect(await stored(purchase)).toMatchObject({ status: 'paid', paidAt: expect.any(Date) as Date });
    const purchasedEvents = billing.events(tenant, 'credits.purchased');
    expect(purchasedEvents.map(({ data }) => data)).toEqual([
      {
        purchaseId: purchase.id,
        workspaceId: tenant.workspaceId,
        creditType: 'sms',
        credits: 2_000,
        amount: 40_000,
        currency: 'INR',
      },
    ]);
    expect(await reconcile(pool())).toEqual([]);
  });

  it('sends a receipt', async () => {
    const tenant = await billing.tenant();
    const purchase = await pending(tenant);
    await billing.settle(completed(purchase));
    const [mail] = await billing.mails(tenant, 1);
    expect(mail).toMatchObject({ purpose: 'receipt', to: ['books@acme.example'] });
    expect(mail!.attachments).toHaveLength(1);
    expect(mail!.text).toContain('2000 sms credits');
  });

  it.each(['before', 'after'])('is paid although the purchase expired %s the payment was reported', async (order) => {
    const tenant = await billing.tenant();
    const purchase = await pending(tenant);
    const events = [expired(purchase), completed(purchase)];
    for (const one of order === 'before' ? events : events.toReversed()) await billing.settle(one);
    expect(await balance(tenant)).toBe(2_000);
    expect((await stored(purchase)).status).toBe('paid');
  });

  it('sets the purchase to expired', async () => {
    const purchase = await pending(await billing.tenant());
    await billing.settle(expired(purchase));
    expect((await stored(purchase)).status).toBe('expired');
  });

  it.each([
    ['is unpaid', { payment_status: 'unpaid' }],
    ['has no payment status', { payment_status: undefined }],
    ['names a smaller amount', { amount_total: 39_999 }],
    ['names a larger amount', { amount_total: 40_001 }],
    ['names another currency', { currency: 'usd' }],
    ['has no amount', { amount_total: undefined }],
    ['has an amount of null', { amount_total: null }],
    ['has an amount as text', { amount_total: '40000' }],
    ['has a fractional amount', { amount_total: 40_000.5 }],
    ['has an amount of zero and needs no payment', { amount_total: 0, payment_status: 'no_payment_required' }],
    ['has no currency', { currency: undefined }],
    ['has a currency of another type', { currency: 356 }],
    ['is of an unknown purchase', { client_reference_id: newId() }],
    ['has a malformed reference', { client_reference_id: 'x' }],
    ['has no reference', { client_reference_id: null }],
  ])('adds nothing if it %s', async (_what, fields) => {
    const tenant = await billing.tenant();
    const purchase = await pending(tenant);
    await billing.settle(completed(purchase, fields));
    expect(await balance(tenant)).toBe(0);
    expect((await stored(purchase)).status).toBe('pending');
  });

  it('sets the purchase to paid when a delayed payment succeeds', async () => {
    const tenant = await billing.tenant();
    const purchase = await pending(tenant);
    await billing.settle(completed(purchase, { payment_status: 'unpaid' }));
    const { data } = completed(purchase);
    await billing.settle({ type: 'checkout.session.async_payment_succeeded', data });
    expect(await balance(tenant)).toBe(2_000);
  });

  it('deducts the credits of a refund, even if the refund is reported before the payment', async () => {
    for (const isEarly of [false, true]) {
      const tenant = await billing.tenant();
      const purchase = await pending(tenant);
      const events = [completed(purchase), refunded(purchase, 40_000)];
      for (const one of isEarly ? events.toReversed() : events) await billing.settle(one);
      expect(await balance(tenant)).toBe(0);
      expect(await stored(purchase)).toMatchObject({
        status: 'refunded',
        creditsRefunded: 2_000,
        amountRefunded: 40_000,
      });
    }
  });

  it('deducts the credits of a partial refund, then the remaining credits, and nothing twice', async () => {
    const tenant = await billing.tenant();
    const purchase = await pending(tenant);
    await billing.settle(completed(purchase));
    const part = refunded(purchase, 10_000);
    await billing.settle(part);
    await billing.settle(part);
    expect(await balance(tenant)).toBe(1_500);
    expect((await stored(purchase)).status).toBe('paid');
    const rest = refunded(purchase, 40_000);
    const ids = await Promise.all([billing.send(rest), billing.send(rest), billing.send(part)]);
    await billing.settled(...ids);
    expect(await balance(tenant)).toBe(0);
    expect(await stored(purchase)).toMatchObject({
      status: 'refunded',
      creditsRefunded: 2_000,
      creditsNotRecovered: 0,
    });
    expect(await reconcile(pool())).toEqual([]);
  });

  it('deducts at most the balance, and records the credits that could not be recovered', async () => {
    const tenant = await billing.tenant();
    const purchase = await pending(tenant);
    await billing.settle(completed(purchase));
    await purchases.add(tenant, -1_700);
    await billing.settle(refunded(purchase, 40_000));
    expect(await balance(tenant)).toBe(0);
    expect(await stored(purchase)).toMatchObject({ creditsRefunded: 300, creditsNotRecovered: 1_700 });
    // The old refund does not deduct credits that are added later.
    await purchases.add(tenant, 50);
    await billing.settle(refunded(purchase, 40_000));
    expect(await balance(tenant)).toBe(50);
  });

  it('deducts no later credits for a further refund of credits that were spent', async () => {
    const tenant = await billing.tenant();
    const purchase = await purchases.paid(tenant);
    await purchases.add(tenant, -2_000);
    await billing.settle(refunded(purchase, 20_000));
    expect(await stored(purchase)).toMatchObject({ creditsRefunded: 0, creditsNotRecovered: 1_000 });
    await purchases.add(tenant, 1_500);
    await billing.settle(refunded(purchase, 40_000));
    expect(await balance(tenant)).toBe(1_500);
    expect(await stored(purchase)).toMatchObject({ creditsRefunded: 0, creditsNotRecovered: 2_000 });
  });

  it('is counted for the operator if its amount differs from the price', async () => {
    const count = () => billing.settledWith('amount differs');
    const before = await count();
    await billing.settle(completed(await pending(await billing.tenant()), { amount_total: 80_000 }));
    await until('it is counted', async () => (await count()) === before + 1);
  });

  it('row 42: keeps the balance right while payments, refunds and charges race', async () => {
    const tenant = await billing.tenant();
    const { organizationId, workspaceId } = tenant;
    const bought = await Promise.all([1, 2, 3].map(() => pending(tenant)));
    const spend = (amount: number) =>
      post(pool(), [
        {
          organizationId,
          workspaceId,
          creditType: 'sms',
          kind: 'charge',
          amount: -amount,
          reference: `race:${unique()}`,
          correlationId: null,
        },
      ]).catch(() => null);
    const events = bought.flatMap((purchase) => [
      completed(purchase),
      refunded(purchase, 15_000),
      completed(purchase),
      refunded(purchase, 40_000),
    ]);
    const ids = billing.settled(...(await Promise.all(events.map((one) => billing.send(one)))));
    for (let round = 0; round < 20; round++) await Promise.all([spend(300), spend(700)]);
    await ids;
    for (const purchase of bought) {
      const { status, creditsRefunded, creditsNotRecovered } = await stored(purchase);
      expect([status, creditsRefunded + creditsNotRecovered]).toEqual(['refunded', 2_000]);
    }
    const entries = await pool().query<{ kind: string; sum: number; lowest: number }>(
      `SELECT kind, sum(amount)::int AS sum, min(balance_after)::int AS lowest FROM credits.ledger
       WHERE workspace_id = $1 GROUP BY kind`,
      [workspaceId],
    );
    expect(entries.rows.find(({ kind }) => kind === 'topup')?.sum).toBe(6_000);
    expect(Math.min(...entries.rows.map(({ lowest }) => lowest))).toBeGreaterThanOrEqual(0);
    expect(await balance(tenant)).toBe(entries.rows.reduce((total, { sum }) => total + sum, 0));
    expect(await reconcile(pool())).toEqual([]);
  });

  it.each([
    ['of nobody', () => null],
    ['with another secret', (body: string) => signProcessorPayload(body, 'whsec_guessed', nowSeconds())],
    ['of another body', () => signProcessorPayload('{}', SECRET, nowSeconds())],
    ['of an hour ago', (body: string) => signProcessorPayload(body, SECRET, nowSeconds() - 3_600)],
  ])('row 41: adds nothing with a signature %s', async (_what, sign) => {
    const tenant = await billing.tenant();
    const purchase = await pending(tenant);
    const body = JSON.stringify({ id: `evt_${unique()}`, object: 'event', ...completed(purchase) });
    expect((await billing.post(body, { signature: sign(body) })).status).toBe(400);
    await billing.settle(refunded(purchase, 1));
    expect(await balance(tenant)).toBe(0);
    expect((await stored(purchase)).status).toBe('pending');
  });

  it('finds the purchase of a charge by its metadata', async () => {
    const tenant = await billing.tenant();
    const purchase = await pending(tenant);
    await billing.settle(completed(purchase, { payment_intent: null }));
    await billing.settle(refunded(purchase, 20_000, { metadata: { purchase_id: purchase.id } }));
    expect(await balance(tenant)).toBe(1_000);
  });

  it('has no effect if it is a refund of another payment', async () => {
    const purchase = await pending(await billing.tenant());
    for (const fields of [{ payment_intent: 'pi_other' }, { amount_refunded: 0 }, { amount_refunded: 'x' }]) {
      await billing.settle(refunded(purchase, 1, fields));
    }
    expect((await stored(purchase)).status).toBe('pending');
  });
});
