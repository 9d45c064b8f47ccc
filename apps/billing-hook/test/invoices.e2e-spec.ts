import { until } from '@heliograph/testing';
import { BillingFixture, newEventId, nowSeconds, type BillingTenant } from './billing-fixture';
import { invoiceEvent, subscriptionEvent } from './payment-events';

describe('an event about an invoice', () => {
  let billing: BillingFixture;
  beforeAll(async () => {
    billing = await BillingFixture.start({
      BILLING_ISSUER_NAME: 'Heliograph Ltd',
      BILLING_ISSUER_ADDRESS: '1 Mirror Lane | London',
      BILLING_SUPPORT_EMAIL: 'billing@heliograph.example',
    });
  });
  afterAll(() => billing.stop());

  const NOW = nowSeconds();
  const invoice = (tenant: BillingTenant, id: unknown) => billing.records.invoiceOf(tenant, String(id));

  describe('invoice.payment_succeeded', () => {
    it('is recorded', async () => {
      const tenant = await billing.tenant();
      const event = invoiceEvent(tenant, 'payment_succeeded', {
        created: 1_790_000_000,
        status_transitions: { paid_at: 1_790_000_100 },
      });
      await billing.settle(event);
      expect(await invoice(tenant, event.data.object['id'])).toMatchObject({
        status: 'paid',
        number: 'ACME-0001',
        currency: 'eur',
        amountDue: 4_900,
        amountPaid: 4_900,
        subtotal: 4_118,
        tax: 782,
        total: 4_900,
        customerName: 'Acme GmbH',
        customerEmail: 'books@acme.example',
        lines: [{ id: 'il_1', description: 'Pro', quantity: 1, amount: 4_118 }],
        createdAt: new Date(1_790_000_000_000),
        paidAt: new Date(1_790_000_100_000),
      });
      const [paid] = await until('the event is published', () => {
        const events = billing.events(tenant, 'billing.invoice.paid');
        return events.length > 0 && events;
      });
      expect(paid!.data).toMatchObject({ invoiceId: event.data.object['id'], amountPaid: 4_900, currency: 'eur' });
    });

    it('sends the receipt PDF to the payer by email, and stores it', async () => {
      const tenant = await billing.tenant();
      const event = invoiceEvent(tenant, 'payment_succeeded');
      await billing.settle(event);
      const [mail] = await billing.mails(tenant, 1);
      expect(mail).toMatchObject({ purpose: 'receipt', to: ['books@acme.example'] });
      expect(mail!.subject).toContain('Heliograph Ltd');
      const [attachment] = mail!.attachments;
      expect(attachment).toMatchObject({ filename: 'receipt-R-ACME-0001.pdf', contentType: 'application/pdf' });
      const pdf = Buffer.from(attachment!.contentBase64, 'base64');
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
      const stored = await billing.records.receiptOf(tenant, String(event.data.object['id']));
      expect(stored?.pdf.equals(pdf)).toBe(true);
      expect(await invoice(tenant, event.data.object['id'])).toMatchObject({ hasReceipt: true });
    });

    it.each([
      ['no address', null],
      ['two addresses', 'a@acme.example, b@acme.example'],
      ['an address with a line break', 'a@acme.example\r\nBcc: x@evil.example'],
    ])('sends the receipt to the owners if the invoice has %s', async (_what, email) => {
      const tenant = await billing.tenant();
      await billing.settle(invoiceEvent(tenant, 'payment_succeeded', { customer_email: email }));
      expect((await billing.mails(tenant, 1))[0]).toMatchObject({ to: [tenant.ownerEmail] });
    });

    it('creates one receipt for repeated events and for several events about the same invoice', async () => {
      const tenant = await billing.tenant();
      const object = invoiceEvent(tenant, 'payment_succeeded').data.object;
      const events = Array.from({ length: 6 }, () => ({
        ...invoiceEvent(tenant, 'payment_succeeded', object),
        id: newEventId(),
      }));
      const ids = await Promise.all([...events, ...events].map((event) => billing.send(event)));
      await billing.settled(...ids);
      await billing.mails(tenant, 1);
      const other = invoiceEvent(tenant, 'payment_succeeded');
      await billing.settle(other);
      await billing.mails(tenant, 2);
      expect(billing.events(tenant, 'mail.requested')).toHaveLength(2);
      expect(billing.events(tenant, 'billing.invoice.paid')).toHaveLength(2);
    });

    it.each(['active', 'canceled', 'locked'] as const)('does not change the status %s', async (status) => {
      const tenant = await billing.tenant({ status });
      await billing.settle(invoiceEvent(tenant, 'payment_succeeded'));
      expect((await billing.workspace(tenant)).status).toBe(status);
    });

    it('changes the status past_due to active', async () => {
      const tenant = await billing.tenant({ status: 'past_due' });
      await billing.settle(invoiceEvent(tenant, 'payment_succeeded'));
      expect((await billing.workspace(tenant)).status).toBe('active');
    });

    it('is accepted with only an id and a customer', async () => {
      const tenant = await billing.tenant();
      await billing.settle({
        type: 'invoice.payment_succeeded',
        data: { object: { id: `in_bare_${tenant.customer}`, customer: tenant.customer, status: 'paid' } },
      });
      expect(await invoice(tenant, `in_bare_${tenant.customer}`)).toMatchObject({ status: 'paid', amountPaid: 0 });
      expect((await billing.mails(tenant, 1))[0]).toMatchObject({ purpose: 'receipt', to: [tenant.ownerEmail] });
    });

    it('is accepted with fields of invalid types', async () => {
      const tenant = await billing.tenant();
      const event = invoiceEvent(tenant, 'payment_succeeded', {
        number: 7,
        currency: 'doubloons',
        amount_due: 1e308,
        amount_paid: '4900',
        subtotal: null,
        tax: 0.5,
        total: -1.5,
        customer_name: 'A\r\nB',
        customer_address: 'nowhere',
        hosted_invoice_url: 'javascript:alert(1)',
        lines: { data: [null, 7, 'x', { amount: {}, quantity: -1, period: [], metadata: null }] },
        created: -5,
      });
      await billing.settle(event);
      expect(await invoice(tenant, event.data.object['id'])).toMatchObject({
        status: 'paid',
        number: null,
        customerName: 'A B',
        hostedUrl: null,
      });
      await billing.mails(tenant, 1);
    });
  });

  describe('invoice.payment_failed', () => {
    it('changes the status of the workspace to past_due, and is recorded', async () => {
      const tenant = await billing.tenant();
      await billing.settle(subscriptionEvent(tenant, 'created', {}, { created: NOW - 10 }));
      const event = invoiceEvent(tenant, 'payment_failed', {}, { created: NOW - 5 });
      await billing.settle(event);
      expect(await billing.workspace(tenant)).toEqual({ plan: 'pro', status: 'past_due' });
      expect(await invoice(tenant, event.data.object['id'])).toMatchObject({ status: 'failed', paidAt: null });
      const [failed] = await until('the event is published', () => {
        const events = billing.events(tenant, 'billing.payment.failed');
        return events.length > 0 && events;
      });
      expect(failed!.data).toMatchObject({ invoiceId: event.data.object['id'], amountDue: 4_900, currency: 'eur' });
    });

    it('is reverted by the payment, which has a receipt', async () => {
      const tenant = await billing.tenant();
      const failure = invoiceEvent(tenant, 'payment_failed', {}, { created: NOW - 5 });
      await billing.settle(failure);
      await billing.settle(invoiceEvent(tenant, 'payment_succeeded', failure.data.object, { created: NOW - 4 }));
      expect((await billing.workspace(tenant)).status).toBe('active');
      expect(await invoice(tenant, failure.data.object['id'])).toMatchObject({ status: 'paid' });
      // The failure may have been followed by a reminder.
      await until('the receipt is requested', async () =>
        (await billing.mails(tenant, 1)).some(({ purpose }) => purpose === 'receipt'),
      );
    });

    it('has no effect if it is older than the newest payment', async () => {
      const tenant = await billing.tenant();
      const payment = invoiceEvent(tenant, 'payment_succeeded', {}, { created: NOW - 4 });
      await billing.settle(payment);
      await billing.settle(
        invoiceEvent(tenant, 'payment_failed', { id: payment.data.object['id'] }, { created: NOW - 5 }),
      );
      expect((await billing.workspace(tenant)).status).toBe('active');
      expect(await invoice(tenant, payment.data.object['id'])).toMatchObject({ status: 'paid', amountPaid: 4_900 });
    });
  });

  it('is ignored if the invoice belongs to another payer', async () => {
    const mine = await billing.tenant();
    const theirs = await billing.tenant();
    const event = invoiceEvent(theirs, 'payment_failed');
    await billing.settle(event);
    await billing.settle(invoiceEvent(mine, 'payment_succeeded', { id: event.data.object['id'] }));
    expect(await invoice(mine, event.data.object['id'])).toBeNull();
    expect(await invoice(theirs, event.data.object['id'])).toMatchObject({ status: 'failed' });
  });

  it('is listed newest first in pages, and only for its tenant', async () => {
    const tenant = await billing.tenant();
    const ids = ['a', 'b', 'c'].map((letter) => `in_${letter}_${tenant.customer}`);
    for (const [n, id] of ids.entries()) {
      await billing.settle(
        invoiceEvent(tenant, 'payment_succeeded', { id, created: 1_790_000_000 + Math.floor(n / 2) }),
      );
    }
    const { organizationId, workspaceId } = tenant;
    const { records } = billing;
    const first = await records.listInvoices(tenant, { limit: 2, after: null });
    expect(first.items.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    const second = await records.listInvoices(tenant, { limit: 2, after: first.next });
    expect([second.items.map(({ id }) => id), second.next]).toEqual([[ids[0]], null]);

    const other = await billing.tenant();
    for (const foreign of [
      { organizationId: other.organizationId, workspaceId },
      { organizationId, workspaceId: other.workspaceId },
    ]) {
      expect((await records.listInvoices(foreign, { limit: 10, after: null })).items).toEqual([]);
      expect(await records.invoiceOf(foreign, ids[0]!)).toBeNull();
      expect(await records.receiptOf(foreign, ids[0]!)).toBeNull();
    }
    expect((await records.listInvoices(other, { limit: 2, after: ids[2]! })).items).toEqual([]);
    expect(await records.invoiceOf(tenant, 'in_\0')).toBeNull();
  });
});
