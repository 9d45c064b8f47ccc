import { send } from './calls';
import { EmailFixture } from './email-fixture';

describe('LIMITS_EMAIL_SCHEDULED', () => {
  let email: EmailFixture;
  beforeAll(async () => {
    email = await EmailFixture.start({ environment: { LIMITS_EMAIL_SCHEDULED: '2' } });
  });
  afterAll(() => email.stop());

  it('holds for scheduled sends only, per organization, and nothing is charged beyond it', async () => {
    const [one, other] = [await email.tenant(), await email.tenant()];
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
});
