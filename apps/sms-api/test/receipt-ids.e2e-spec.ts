import { until } from '@heliograph/testing';
import { postJson } from './calls';
import { SmsFixture } from './sms-fixture';

describe('a carrier with a different notation of ids in its receipts', () => {
  let sms: SmsFixture;
  beforeAll(async () => {
    sms = await SmsFixture.start();
  });
  afterAll(() => sms.stop());

  it('row 24: sets all messages to delivered, also those whose receipts arrived before the detection', async () => {
    sms.carrier.behave({ receiptIdNotation: 'decimal' });
    const tenant = await sms.tenant();
    for (let count = 0; count < 6; count += 1) {
      const { status } = await postJson(sms, tenant.key, {
        from: tenant.sender.header,
        to: sms.recipient(),
        message: 'x',
      });
      expect(status).toBe(200);
    }
    const delivered = () => sms.database.query("SELECT 1 FROM sms.messages WHERE status = 'delivered'");
    await until('all messages are delivered', async () => (await delivered()).length === 6);
    expect(await sms.database.query('SELECT 1 FROM sms.unmatched_receipts')).toEqual([]);
  });
});
