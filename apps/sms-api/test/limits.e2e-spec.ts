import { call, codeOf, postJson, postTo } from './calls';
import { SmsFixture } from './sms-fixture';

describe('LIMITS_SMS_SCHEDULED', () => {
  let sms: SmsFixture;
  beforeAll(async () => {
    sms = await (await SmsFixture.shared()).beside({ LIMITS_SMS_SCHEDULED: '2' });
  });
  afterAll(() => sms.service.stop());

  it('applies only to scheduled messages of an organization, and messages above the limit are not charged', async () => {
    const one = await sms.tenant();
    const other = await sms.tenant();
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

  it('is checked by a quote, which does not count towards the limit', async () => {
    const { key, sender, template } = await sms.tenant();
    const body = { to: sms.recipient(), sender_id: sender.id, template_id: template.id, variables: { code: '1' } };
    const post = (path: string) =>
      postTo(sms, `/api/v1/sms${path}`, key, { ...body, scheduled_at: '2099-01-01T00:00:00Z' });
    for (let n = 0; n < 4; n++) expect((await post('/quote')).body['verdict']).toBe('ok');
    for (let n = 0; n < 2; n++) expect((await post('/send')).status).toBe(202);
    const quote = await post('/quote');
    const sent = await post('/send');
    expect([quote.body['verdict'], codeOf(sent)]).toEqual(['refused', 'LIMIT_REACHED']);
    expect(quote.body['checks']).toContainEqual({
      name: 'limits',
      result: 'failed',
      message: `LIMIT_REACHED: ${String(sent.body['message'])}`,
    });
  });
});
