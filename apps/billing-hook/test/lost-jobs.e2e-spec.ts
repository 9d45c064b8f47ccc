import { until } from '@heliograph/testing';
import { BillingFixture } from './billing-fixture';
import { invoiceEvent } from './payment-events';

describe('events and receipts whose jobs the broker lost', () => {
  let billing: BillingFixture;
  beforeAll(async () => {
    // This process stores events and publishes nothing.
    billing = await BillingFixture.start({ ROLE: 'api' });
  });
  afterAll(() => billing.stop());

  it('are settled and issued', async () => {
    const tenant = await billing.tenant();
    const id = await billing.send(invoiceEvent(tenant, 'payment_succeeded'));
    await billing.database.query('DELETE FROM messaging.outbox');
    await billing.database.query(`UPDATE billing.events SET received_at = received_at - interval '10 minutes'`);
    await billing.restart({ ROLE: 'all' });
    await billing.settled(id);
    const receipts = () => billing.database.query('SELECT FROM billing.receipts');
    await until('the receipt is issued', async () => (await receipts()).length === 1);

    await billing.database.query('DELETE FROM billing.receipts');
    await billing.database.query(`UPDATE billing.invoices SET paid_at = now() - interval '10 minutes'`);
    await until('the receipt is issued again', async () => (await receipts()).length === 1);
  });
});
