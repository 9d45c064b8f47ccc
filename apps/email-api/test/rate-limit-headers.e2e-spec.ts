import { call } from './calls';
import { EmailFixture, type EmailTenant } from './email-fixture';

describe('the rate limit headers', () => {
  let email: EmailFixture;
  let tenant: EmailTenant;
  beforeAll(async () => {
    email = await (await EmailFixture.shared()).beside({ MESSAGING_RATE_PER_MINUTE: '100' });
    tenant = await email.tenant();
  });
  afterAll(() => email.service.stop());

  it.each([
    ['an unknown path (404)', 404, '/nothing', {}],
    ['an unknown path of v1 (404)', 404, '/api/v1/email/nothing', {}],
    ['a wrong method (405)', 405, '/email/send', { method: 'DELETE' }],
    ['a call without a key (401)', 401, '/email/balance', {}],
    ['a call with an unknown key (401)', 401, '/api/v1/email/messages', { key: 'sk_live_unknown' }],
  ])('are on the response to %s', async (_what, status, path, options) => {
    const { headers, ...answer } = await call(email, path, options);
    expect(answer.status).toBe(status);
    expect(headers.get('ratelimit-limit')).toBe('100');
    expect([headers.get('ratelimit-remaining'), headers.get('ratelimit-reset')]).toEqual(['100', '60']);
  });

  it('are on the response to an address that is not allowed, which is not counted', async () => {
    const other = await email.tenant({ ipAllowlist: ['192.0.2.1'] });
    for (let calls = 0; calls < 2; calls++) {
      const { status, headers } = await call(email, '/email/balance', { key: other.key });
      expect([status, headers.get('ratelimit-remaining')]).toEqual([403, '100']);
    }
  });

  it('count the calls of a key', async () => {
    const { headers } = await call(email, '/email/balance', { key: tenant.key });
    expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual(['100', '99']);
  });
});
