import { Dunning, Invoice, StoredReceipt, Subscription, billingEntities } from '@heliograph/billing';
import { createDataSource, databaseConfigSchema, newId } from '@heliograph/database';
import { unique } from '@heliograph/testing';
import type { DataSource } from 'typeorm';
import type { BillingState, InvoiceList, OneInvoice } from '../src/money/billing/billing.dto';
import { AccountFixture, type Tenant } from './account-fixture';

const AT = new Date('2026-11-20T10:00:00.000Z');
const PDF = Buffer.from('%PDF-1.7\n\0\xff\xfe octets that are no text', 'latin1');

describe('the billing of a workspace', () => {
  let fixture: AccountFixture;
  let billing: DataSource;
  let tenant: Tenant;
  let path: string;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    const settings = databaseConfigSchema.parse({ DATABASE_URL: fixture.database.url, DATABASE_POOL_SIZE: 2 });
    billing = await createDataSource(settings, 'billing spec', billingEntities).initialize();
  });
  afterAll(() => billing.destroy());
  beforeEach(async () => {
    tenant = await fixture.tenant();
    path = `/api/workspaces/${tenant.workspace.id}/billing`;
  });

  const of = ({ organizationId, workspace }: Tenant) => ({ organizationId, workspaceId: workspace.id });
  const read = async <T>(suffix = '', { key } = tenant) => fixture.call<T>('GET', `${path}${suffix}`, { key });
  const invoice = async (changes: Partial<Invoice> = {}, owner = tenant): Promise<Invoice> =>
    billing.getRepository(Invoice).save({
      id: `in_${unique()}`,
      ...of(owner),
      customer: 'cus_acme',
      number: 'ACME-7',
      status: 'paid',
      currency: 'inr',
      amountDue: 0,
      amountPaid: 2_900,
      subtotal: 2_437,
      tax: 463,
      total: 2_900,
      customerName: 'Ada',
      customerEmail: 'ada@acme.example',
      customerAddress: ['London'],
      lines: [
        {
          id: 'il_1',
          description: 'Pro plan',
          quantity: 1,
          unitAmount: 2_437,
          amount: 2_437,
          periodStart: null,
          periodEnd: null,
        },
      ],
      hostedUrl: 'https://pay.example/in',
      createdAt: AT,
      paidAt: AT,
      newest: '',
      ...changes,
    } as Invoice);
  const subscription = (changes: Partial<Subscription>) =>
    billing.getRepository(Subscription).save({
      customer: `cus_${unique()}`,
      subscriptionId: `sub_${unique()}`,
      ...of(tenant),
      status: 'active',
      plan: 'pro',
      currentPeriodEnd: AT,
      cancelAtPeriodEnd: false,
      began: '1',
      newest: '1',
      planned: null,
      ...changes,
    } as Subscription);

  it('consists of plan, status and customer without events of the payment processor', async () => {
    expect((await read('')).data).toEqual({
      plan: 'pro',
      status: 'active',
      billingCustomer: null,
      subscription: null,
      dunning: null,
    });
    expect((await read('/invoices')).data).toEqual({ invoices: [] });
  });

  it('shows the current subscription and the dunning state of a failed payment', async () => {
    await subscription({ subscriptionId: 'sub_ended', status: 'canceled', newest: '9' });
    await subscription({ subscriptionId: 'sub_live', status: 'past_due', cancelAtPeriodEnd: true, newest: '3' });
    await billing.getRepository(Dunning).save({
      customer: `cus_${unique()}`,
      ...of(tenant),
      firstFailureAt: AT,
      stepsTaken: 5,
      nextStepAt: null,
      lockedAt: AT,
      endedAt: null,
      correlationId: null,
    } as Dunning);
    const { data } = await read<BillingState>();
    expect(data.subscription).toEqual({
      id: 'sub_live',
      status: 'past_due',
      plan: 'pro',
      currentPeriodEnd: AT.toISOString(),
      cancelAtPeriodEnd: true,
    });
    expect(data.dunning).toEqual({
      firstFailureAt: AT.toISOString(),
      remindersSent: 4,
      nextStepAt: null,
      lockedAt: AT.toISOString(),
      endedAt: null,
    });
  });

  it('shows an invoice with its lines', async () => {
    const { id } = await invoice();
    const shown = {
      id,
      number: 'ACME-7',
      status: 'paid',
      currency: 'inr',
      amountDue: 0,
      amountPaid: 2_900,
      subtotal: 2_437,
      tax: 463,
      total: 2_900,
      lines: [{ description: 'Pro plan', quantity: 1, amount: 2_437 }],
      hostedUrl: 'https://pay.example/in',
      hasReceipt: false,
      createdAt: AT.toISOString(),
      paidAt: AT.toISOString(),
    };
    expect((await read<OneInvoice>(`/invoices/${id}`)).data).toEqual({ invoice: shown });
    expect((await read<InvoiceList>('/invoices')).data).toEqual({ invoices: [shown] });
    const open = await invoice({ status: 'failed', number: null, tax: null, hostedUrl: null, paidAt: null });
    expect((await read<OneInvoice>(`/invoices/${open.id}`)).data.invoice).toMatchObject({
      status: 'failed',
      number: null,
      tax: null,
      hostedUrl: null,
      paidAt: null,
    });
  });

  it('returns the stored receipt, if there is one', async () => {
    const { id } = await invoice();
    expect(await read(`/invoices/${id}/receipt.pdf`)).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
    await billing.getRepository(StoredReceipt).save({
      invoiceId: id,
      ...of(tenant),
      filename: 'receipt "1"\r\nX: y.pdf',
      pdf: PDF,
      createdAt: AT,
    });
    expect((await read<OneInvoice>(`/invoices/${id}`)).data.invoice.hasReceipt).toBe(true);
    const response = await fetch(`${fixture.service.url}${path}/invoices/${id}/receipt.pdf`, {
      headers: { authorization: `Bearer ${tenant.key}` },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="receipt__1___X__y.pdf"');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(Buffer.from(await response.arrayBuffer()).equals(PDF)).toBe(true);
  });

  it('lists invoices newest first, in pages, including those with the same timestamp', async () => {
    const made = [];
    for (let index = 0; index < 9; index++) {
      const createdAt = new Date(AT.getTime() + Math.floor(index / 3) * 1_000);
      made.push(await invoice({ id: `in_${index} ü/?&=${unique()}`, createdAt }));
    }
    const seen: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const { data }: { data: InvoiceList } = await read<InvoiceList>(
        `/invoices?limit=2${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...data.invoices.map(({ id }) => id));
      cursor = data.nextCursor;
    }
    expect(seen).toEqual(made.map(({ id }) => id).toReversed());
  });

  it('shows no invoice, receipt or page of another workspace', async () => {
    const other = await fixture.tenant();
    const theirs = await invoice({}, other);
    await invoice({ createdAt: new Date(AT.getTime() - 1_000) });
    await billing.getRepository(StoredReceipt).save({
      invoiceId: theirs.id,
      ...of(other),
      filename: 'x.pdf',
      pdf: PDF,
      createdAt: AT,
    });
    for (const suffix of [`/invoices/${theirs.id}`, `/invoices/${theirs.id}/receipt.pdf`]) {
      expect(await read(suffix)).toMatchObject({ status: 404 });
    }
    const cursor = Buffer.from(theirs.id).toString('base64url');
    expect((await read<InvoiceList>(`/invoices?cursor=${cursor}`)).data).toEqual({ invoices: [] });
  });

  it('returns NOT_FOUND for an invoice id with an invalid percent-encoding', async () => {
    const response = await fetch(`${fixture.service.url}${path}/invoices/%ff`, {
      headers: { authorization: `Bearer ${tenant.key}` },
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      { ok: false, error: { code: 'INVALID_REQUEST', message: expect.any(String) as string } },
    ]);
  });

  it.each([
    'in_nobody',
    newId(),
    '%00',
    '%F0%9F%98%80',
    "'%20OR%20true--",
    '..%2F..%2Fetc%2Fpasswd',
    '%252e%252e',
    '__proto__',
    'x'.repeat(300),
    '%0d%0aX:%20y',
    '*',
    '%25',
  ])('returns NOT_FOUND for the invoice id %s', async (id) => {
    await invoice();
    for (const suffix of [`/invoices/${id}`, `/invoices/${id}/receipt.pdf`]) {
      const response = await fetch(`${fixture.service.url}${path}${suffix}`, {
        headers: { authorization: `Bearer ${tenant.key}` },
      });
      const { ok, error } = (await response.json()) as { ok: boolean; error: { code: string } };
      expect([response.status, ok, error.code]).toEqual([404, false, 'NOT_FOUND']);
    }
  });
});
