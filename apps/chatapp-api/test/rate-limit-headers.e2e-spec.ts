import { ChatappFixture, type ChatappTenant } from './chatapp-fixture';

describe('the rate limit headers', () => {
  let chatapp: ChatappFixture;
  let tenant: ChatappTenant;
  beforeAll(async () => {
    chatapp = await (await ChatappFixture.shared()).beside({ MESSAGING_RATE_PER_MINUTE: '100' });
    tenant = await chatapp.tenant();
  });
  afterAll(() => chatapp.service.stop());

  it.each([
    ['an unknown path (404)', 404, '/nothing', {}],
    ['an unknown path of v1 (404)', 404, '/api/v1/chatapp/nothing', {}],
    ['a wrong method (405)', 405, '/chatapp/send', { method: 'DELETE' }],
    ['a call without a key (401)', 401, '/chatapp/balance', {}],
    ['a call with an unknown key (401)', 401, '/chatapp/templates', { key: 'sk_live_unknown' }],
  ])('are on the response to %s', async (_what, status, path, options) => {
    const { headers, ...answer } = await chatapp.call(path, options);
    expect(answer.status).toBe(status);
    expect(headers.get('ratelimit-limit')).toBe('100');
    expect([headers.get('ratelimit-remaining'), headers.get('ratelimit-reset')]).toEqual(['100', '60']);
  });

  it('are on the response to an address that is not allowed, which is not counted', async () => {
    const other = await chatapp.tenant({ ipAllowlist: ['192.0.2.1'] });
    for (let calls = 0; calls < 2; calls++) {
      const { status, headers } = await chatapp.call('/chatapp/templates', { key: other.key });
      expect([status, headers.get('ratelimit-remaining')]).toEqual([403, '100']);
    }
  });

  it('count the calls of a key', async () => {
    const { headers } = await chatapp.call('/chatapp/templates', { key: tenant.key });
    expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual(['100', '99']);
  });
});
