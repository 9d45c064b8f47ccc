import { call } from './calls';
import { SmsFixture, type SmsTenant } from './sms-fixture';

describe('the rate limit headers', () => {
  let sms: SmsFixture;
  let tenant: SmsTenant;
  beforeAll(async () => {
    sms = await (await SmsFixture.shared()).beside({ MESSAGING_RATE_PER_MINUTE: '100' });
    tenant = await sms.tenant();
  });
  afterAll(() => sms.service.stop());

  it.each([
    ['an unknown path (404)', 404, '/nothing', {}],
    ['an unknown path of v1 (404)', 404, '/api/v1/sms/nothing', {}],
    ['a wrong method (405)', 405, '/sms/send', { method: 'DELETE' }],
    ['a call without a key (401)', 401, '/sms/balance', {}],
    ['a call with an unknown key (401)', 401, '/api/v1/sms/messages', { key: 'sk_live_unknown' }],
    ['a SOAP call without a key (401)', 401, '/sms/soap', { method: 'POST' }],
  ])('are on the response to %s', async (_what, status, path, options) => {
    const { headers, ...answer } = await call(sms, path, options);
    expect(answer.status).toBe(status);
    const limit = headers.get('ratelimit-limit');
    expect(Number(limit)).toBeGreaterThan(0);
    expect([headers.get('ratelimit-remaining'), headers.get('ratelimit-reset')]).toEqual([limit, '60']);
  });

  it('are on the response to an address that is not allowed, which is not counted', async () => {
    const other = await sms.tenant({ ipAllowlist: ['192.0.2.1'] });
    for (let calls = 0; calls < 2; calls++) {
      const { status, headers } = await call(sms, '/sms/balance', { key: other.key });
      expect([status, headers.get('ratelimit-remaining')]).toEqual([403, headers.get('ratelimit-limit')]);
    }
  });

  it('count the calls of a key', async () => {
    const { headers } = await call(sms, '/sms/balance', { key: tenant.key });
    expect(Number(headers.get('ratelimit-remaining'))).toBeLessThan(Number(headers.get('ratelimit-limit')));
  });
});
