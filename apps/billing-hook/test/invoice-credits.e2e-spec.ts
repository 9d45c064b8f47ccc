import { balanceOf, reconcile } from '@heliograph/credits';
import { poolOf } from '@heliograph/database';
import { BillingFixture, newEventId, type BillingTenant } from './billing-fixture';
import { invoiceEvent } from './payment-events';

describe('an event about an invoice', () => {
  let billing: BillingFixture;
  beforeAll(async () => {
    billing = await BillingFixture.shared();
  });

  const pool = () => poolOf(billing.tenants.dataSource);
  const invoice = (tenant: BillingTenant, id: unknown) => billing.records.invoiceOf(tenant, String(id));
  const credits = ({ workspaceId }: BillingTenant) => balanceOf(pool(), workspaceId, 'sms');
  const topUpLine = (metadata: object, line: object = {}) => ({ id: 'il_1', amount: 1_000, metadata, ...line });
  const purchase = (tenant: BillingTenant, lines: object[], object: Record<string, unknown> = {}) =>
    invoiceEvent(tenant, 'payment_succeeded', { lines: { data: lines }, ...object });

  describe('that buys credits', () => {
    it('adds the credits', async () => {
      const tenant = await billing.tenant();
      await billing.settle(
        purchase(tenant, [
          topUpLine({ credit_type: 'sms', credits: '500' }),
          topUpLine({ credit_type: 'email', credit_amount: 70 }, { id: 'il_2' }),
          topUpLine({ credit_type: 'sms', credits: 30 }, { id: 'il_3' }),
        ]),
      );
      expect(await credits(tenant)).toBe(530);
      expect(await balanceOf(pool(), tenant.workspaceId, 'email')).toBe(70);
    });

    it('adds the credits once for repeated events and for several events about the same invoice', async () => {
      const tenant = await billing.tenant();
      const event = purchase(tenant, [topUpLine({ credit_type: 'sms', credits: 500 })]);
      const one = newEventId();
      const other = newEventId();
      const ids = [one, other, one, other, one, newEventId()];
      await Promise.all(ids.map((id) => billing.send({ ...event, id })));
      await billing.settled(...ids);
      expect(await credits(tenant)).toBe(500);
      expect(await reconcile(pool())).toEqual([]);
    });

    it('adds the credits of a price or a product multiplied by the quantity', async () => {
      const tenant = await billing.tenant();
      const metadata = { credit_type: 'sms', credits: '100' };
      await billing.settle(
        purchase(tenant, [
          { id: 'il_1', amount: 1, quantity: 3, price: { id: 'p', metadata } },
          { id: 'il_2', amount: 1, quantity: 2, price: { id: 'p', product: { id: 'prod', metadata } } },
        ]),
      );
      expect(await credits(tenant)).toBe(500);
    });

    it('adds the credits of two lines with the same id', async () => {
      const tenant = await billing.tenant();
      const line = topUpLine({ credit_type: 'sms', credits: 5 });
      await billing.settle(purchase(tenant, [line, line]));
      expect(await credits(tenant)).toBe(10);
    });

    it.each([
      ['0', '0'],
      ['-5', '-5'],
      ['a fraction', '1.5'],
      ['a fraction that is a number', 1.5],
      ['an exponent', '1e3'],
      ['1e308', 1e308],
      ['more than 1e12', 1_000_000_000_001],
      ['a word', 'many'],
      ['no value', undefined],
      ['an array', [5]],
      ['a hexadecimal number', '0x10'],
    ])('adds no credits for the value %s, but records the invoice', async (_what, amount) => {
      const tenant = await billing.tenant();
      const event = purchase(tenant, [
        topUpLine({ credit_type: 'sms', credits: amount }),
        topUpLine({ credit_type: 'sms', credits: 7 }, { id: 'il_2' }),
      ]);
      await billing.settle(event);
      expect(await credits(tenant)).toBe(7);
      expect(await invoice(tenant, event.data.object['id'])).toMatchObject({ status: 'paid' });
    });

    it('adds no credits of a line with a negative amount', async () => {
      const tenant = await billing.tenant();
      const lines = [
        topUpLine({ credit_type: 'sms', credits: 5 }, { amount: -500 }),
        topUpLine({ credit_type: 'sms', credits: 7 }, { id: 'il_2', amount: 700 }),
      ];
      await billing.settle(purchase(tenant, lines));
      expect(await credits(tenant)).toBe(7);
    });

    it.each(['gold', '__proto__', 'SMS', 7])('adds no credits of the type %s', async (type) => {
      const tenant = await billing.tenant();
      await billing.settle(purchase(tenant, [topUpLine({ credit_type: type, credits: 5 })]));
      const rows = await billing.database.query('SELECT FROM credits.ledger WHERE workspace_id = $1', [
        tenant.workspaceId,
      ]);
      expect(rows).toEqual([]);
    });

    it('adds no credits before the invoice is paid', async () => {
      const tenant = await billing.tenant();
      const lines = { data: [topUpLine({ credit_type: 'sms', credits: 5 })] };
      await billing.settle(invoiceEvent(tenant, 'payment_failed', { lines }));
      expect(await credits(tenant)).toBe(0);
    });
  });
});
