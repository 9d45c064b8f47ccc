import { call, send } from './calls';
import { EmailFixture } from './email-fixture';

describe('LIMITS_EMAIL_SCHEDULED', () => {
  let email: EmailFixture;
  beforeAll(async () => {
    email = await (await EmailFixture.shared()).beside({ LIMITS_EMAIL_SCHEDULED: '2' });
  });
  afterAll(() => email.service.stop());

  it('applies only to scheduled sends of an organization, and sends above the limit are not charged', async () => {
    const one = await email.tenant();
    const other = await email.tenant();
    const sendFor = ({ key }: typeof one, more: object = {}) =>
      send(email, key, { to: email.recipient(), subject: 'Hi', text: 'Hi', ...more });
    const scheduledAt = '2099-01-01T00:00:00Z';
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => sendFor(one, { scheduledAt })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409]);
    expect((await sendFor(one, { scheduledAt })).body).toEqual({
      code: 'LIMIT_REACHED',
      message: expect.stringMatching(/limit of 2 scheduled sends\. Cancel some/) as string,
    });
    expect(await email.balance(one.workspaceId)).toBe(998);
    expect((await sendFor(one)).status).toBe(200);
    expect((await sendFor(other, { scheduledAt })).status).toBe(200);
  });

  it('is checked by a quote, which does not count towards the limit', async () => {
    const { key } = await email.tenant();
    const json = { to: email.recipient(), subject: 'Hi', text: 'Hi', scheduled_at: '2099-01-01T00:00:00Z' };
    const post = (path: string) => call(email, `/api/v1/email${path}`, { method: 'POST', key, json });
    for (let n = 0; n < 4; n++) expect((await post('/quote')).body['verdict']).toBe('ok');
    for (let n = 0; n < 2; n++) expect((await post('/send')).status).toBe(202);
    const quote = await post('/quote');
    const sent = await post('/send');
    expect([quote.body['verdict'], sent.body['code']]).toEqual(['refused', 'LIMIT_REACHED']);
    expect(quote.body['checks']).toContainEqual({
      name: 'limits',
      result: 'failed',
      message: `LIMIT_REACHED: ${String(sent.body['message'])}`,
    });
  });
});
