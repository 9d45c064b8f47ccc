import { EventRetentionService } from '../src/settling/event-retention.service';
import { BillingFixture } from './billing-fixture';

describe('BILLING_EVENT_RETENTION_DAYS', () => {
  it('deletes applied events after 400 days, and no event that is not applied', async () => {
    const billing = await BillingFixture.start();
    try {
      for (const [id, settledDaysAgo] of [
        ['evt_old', 401],
        ['evt_recent', 399],
        ['evt_open', null],
      ] as const) {
        await billing.database.query(
          `INSERT INTO billing.events (id, type, created, arrival, payload, received_at, settled_at)
           VALUES ($1, 'ping', now(), nextval('billing.arrivals'), '{}', now() - interval '500 days',
             now() - $2::integer * interval '1 day')`,
          [id, settledDaysAgo],
        );
      }
      await billing.service.app.get(EventRetentionService).deleteOldEvents(new AbortController().signal);
      const events = await billing.database.query<{ id: string }>('SELECT id FROM billing.events ORDER BY id');
      expect(events.map(({ id }) => id)).toEqual(['evt_open', 'evt_recent']);
    } finally {
      await billing.stop();
    }
  });
});
