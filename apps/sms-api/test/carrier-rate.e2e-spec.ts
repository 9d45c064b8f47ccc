import { until } from '@heliograph/testing';
import { postJson } from './calls';
import { SmsFixture } from './sms-fixture';

const MESSAGES = 200;

describe('a carrier that throttles', () => {
  let sms: SmsFixture;
  beforeAll(async () => {
    sms = await SmsFixture.start();
  });
  afterAll(() => sms.stop());

  it('row 25: receives few additional submits for 200 messages if it accepts 40 a second', async () => {
    sms.carrier.behave({ maxPerSecond: 40 });
    const tenant = await sms.tenant();
    const send = () => postJson(sms, tenant.key, { from: tenant.sender.header, to: sms.recipient(), message: 'x' });
    for (const { status } of await Promise.all(Array.from({ length: MESSAGES }, send))) expect(status).toBe(200);
    const accepted = () => sms.carrier.messages().filter((message) => message.accepted).length;
    await until('all messages are accepted', () => accepted() === MESSAGES);
    expect(sms.carrier.messages().length).toBeLessThan(1.2 * MESSAGES);
  });
});
