import { call, codeOf, postJson } from './calls';
import { SmsFixture } from './sms-fixture';

describe('LIMITS_SMS_SCHEDULED', () => {
  let sms: SmsFixture;
  beforeAll(async () => {
    sms = await SmsFixture.start({ environment: { LIMITS_SMS_SCHEDULED: '2' } });
  });
  afterAll(() => sms.stop());

  it('holds for scheduled messages only, per organization, and nothing is charged beyond it', async () => {
    const [one, other] = [await sms.tenant(), await sms.tenant()];
    const send = ({ key, sender }: typeof one, more: object = {}) =>
      postJson(sms, key, { from: sender.header, to: sms.recipient(), message: 'x', ...more });
    const scheduledAt = '2099-01-01T00:00:00Z';
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => send(one, { scheduledAt })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409]);
    const refused = await send(one, { scheduledAt });
    expect([codeOf(refused), refused.body['message']]).toEqual([
      'LIMIT_REACHED',
      expect.stringMatching(/limit of 2 scheduled messages\. Cancel some/),
    ]);
    expect((await call(sms, '/sms/balance', { key: one.key })).body['balance']).toBe(998);
    expect((await send(one)).status).toBe(200);
    expect((await send(other, { scheduledAt })).status).toBe(200);
  });
});
