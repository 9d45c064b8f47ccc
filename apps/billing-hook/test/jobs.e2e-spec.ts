import { billingEventReceived, billingReceiptDue, type EventEnvelope } from '@heliograph/contracts';
import { newId } from '@heliograph/database';
import { addToOutbox, BUS, composeEvent, type Bus } from '@heliograph/messaging';
import { until } from '@heliograph/testing';
import { Client } from 'pg';
import { ReceiptsService } from '../src/receipts/receipts.service';
import { EVENTS_QUEUE } from '../src/settling/events-queue';
import { BillingFixture } from './billing-fixture';
import { invoiceEvent, subscriptionEvent } from './payment-events';

describe('the job of applying an event', () => {
  let billing: BillingFixture;
  let client: Client;
  beforeAll(async () => {
    billing = await BillingFixture.shared();
    client = new Client({ connectionString: billing.database.url });
    await client.connect();
  });
  afterAll(() => client.end());

  const announce = (...events: EventEnvelope[]) => addToOutbox(client, events);
  const jobOf = (eventId: string) =>
    composeEvent(billingEventReceived, {
      organizationId: null,
      workspaceId: null,
      correlationId: null,
      data: { eventId, eventType: 'invoice.payment_failed' },
    });

  it('is executed once, even if it is delivered several times', async () => {
    const tenant = await billing.tenant();
    const id = await billing.settle(invoiceEvent(tenant, 'payment_failed'));
    await announce(...Array.from({ length: 5 }, () => jobOf(id)));
    await until('all jobs have arrived', () => billing.jobsOf(id) === 6);
    // This event is applied after them, because a queue preserves the order.
    await billing.settle(subscriptionEvent(tenant, 'updated'));
    await until('the event is published', () => billing.events(tenant, 'billing.subscription.changed').length === 1);
    expect(billing.events(tenant, 'billing.payment.failed')).toHaveLength(1);
  });

  it('is dead-lettered if it is invalid, and the next job is executed', async () => {
    const poison = { ...jobOf('x'), id: newId(), data: { eventId: 7 } };
    await announce(poison);
    // The event is intentionally invalid, so the check at the end of the test must not find it.
    await billing.database.query(`DELETE FROM testing.events WHERE payload->>'id' = $1`, [poison.id]);
    const bus = billing.service.app.get<Bus>(BUS);
    await until('the event is dead-lettered', async () => {
      const letters = await bus.deadLetters(EVENTS_QUEUE, 10);
      return letters.some(({ id }) => id === poison.id);
    });
    const tenant = await billing.tenant();
    await billing.settle(subscriptionEvent(tenant, 'created'));
    expect((await billing.workspace(tenant)).plan).toBe('pro');
  });

  it('of a receipt is executed once, even by several workers concurrently', async () => {
    const tenant = await billing.tenant();
    const invoice = invoiceEvent(tenant, 'payment_succeeded');
    await billing.settle(invoice);
    const mails = () => billing.events(tenant, 'mail.requested').length;
    await until('the email with the receipt is requested', () => mails() === 1);
    const [receipt] = await billing.database.query<{ invoice_id: string }>(
      'DELETE FROM billing.receipts WHERE workspace_id = $1 RETURNING invoice_id',
      [tenant.workspaceId],
    );
    const service = billing.service.app.get(ReceiptsService, { strict: false });
    const { organizationId, workspaceId } = tenant;
    const data = { workspaceId, invoiceId: receipt!.invoice_id };
    const job = composeEvent(billingReceiptDue, { organizationId, workspaceId, correlationId: null, data });
    const issue = () => service.issue(job);
    await Promise.all([issue(), issue(), issue(), issue()]);
    await until('the email is requested again', () => mails() >= 2);
    // This event is applied after them, because the outbox preserves the order.
    await billing.settle(subscriptionEvent(tenant, 'updated'));
    await until('the event is published', () => billing.events(tenant, 'billing.subscription.changed').length === 1);
    expect(mails()).toBe(2);
  });
});
