import { until } from '@heliograph/testing';
import { call, codeOf } from './calls';
import { SmsFixture } from './sms-fixture';

describe('the IP allowlist', () => {
  describe('of a service without TRUST_PROXY', () => {
    let sms: SmsFixture;
    beforeAll(async () => {
      sms = await SmsFixture.shared();
    });

    const me = async (ipAllowlist: string[], headers: Record<string, string> = {}) => {
      const { key } = await sms.tenant({ ipAllowlist });
      return call(sms, '/api/me', { key, headers });
    };

    it.each([[[]], [['127.0.0.1']], [['127.0.0.0/8']], [['10.0.0.0/8', '127.0.0.1/32']], [['0.0.0.0/0']]])(
      'allows 127.0.0.1 with %j',
      async (list) => expect((await me(list)).status).toBe(200),
    );

    it.each([[['127.0.0.2']], [['10.0.0.0/8']], [['::1']], [['128.0.0.0/1']]])(
      'returns 403 IP_NOT_ALLOWED for 127.0.0.1 with %j',
      async (list) => {
        const answer = await me(list);
        expect(answer.status).toBe(403);
        expect(answer.body).toEqual({ code: 'IP_NOT_ALLOWED', message: expect.any(String) as string });
      },
    );

    it('ignores X-Forwarded-For', async () => {
      expect((await me(['203.0.113.7'], { 'X-Forwarded-For': '203.0.113.7' })).status).toBe(403);
      expect((await me(['127.0.0.1'], { 'X-Forwarded-For': '203.0.113.7' })).status).toBe(200);
    });

    it('checks the key first, then the address, then the scope', async () => {
      const { organizationId } = await sms.tenant({ ipAllowlist: ['10.0.0.0/8'] });
      const unknown = await call(sms, '/sms/senders', { key: 'msg_live_nobody' });
      expect([unknown.status, codeOf(unknown)]).toEqual([401, 'UNAUTHENTICATED']);
      const revoked = await sms.tenants.key(organizationId, { revoked: true });
      expect((await call(sms, '/sms/senders', { key: revoked })).status).toBe(401);
      const key = await sms.tenants.key(organizationId, { scopes: ['email:read'] });
      const answer = await call(sms, '/sms/senders', { key });
      expect([answer.status, codeOf(answer)]).toEqual([403, 'IP_NOT_ALLOWED']);
    });

    it('applies a changed list within two seconds', async () => {
      const organization = await sms.tenants.organization();
      const key = await sms.tenants.key(organization.id);
      expect((await call(sms, '/api/me', { key })).status).toBe(200);
      await sms.tenants.organization({ slug: organization.slug, ipAllowlist: ['10.0.0.0/8'] });
      await until('the request is rejected', async () => (await call(sms, '/api/me', { key })).status === 403, {
        timeoutMs: 2_000,
      });
    });
  });

  describe('of a service that trusts one proxy', () => {
    let sms: SmsFixture;
    beforeAll(async () => {
      sms = await (await SmsFixture.shared()).beside({ TRUST_PROXY: '1' });
    });
    afterAll(() => sms.service.stop());

    const from = async (forwarded: string, ipAllowlist: string[]) => {
      const { key } = await sms.tenant({ ipAllowlist });
      return (await call(sms, '/api/me', { key, headers: { 'X-Forwarded-For': forwarded } })).status;
    };

    it('uses only the last address of X-Forwarded-For', async () => {
      expect(await from('203.0.113.7', ['203.0.113.0/24'])).toBe(200);
      expect(await from('203.0.113.7', ['127.0.0.1'])).toBe(403);
      expect(await from('203.0.113.7, 198.51.100.9', ['203.0.113.0/24'])).toBe(403);
      expect(await from('6.6.6.6, 203.0.113.7', ['203.0.113.0/24'])).toBe(200);
    });

    it.each([
      ['::ffff:203.0.113.7', '203.0.113.7', 200],
      ['::FFFF:203.0.113.7', '203.0.113.0/24', 200],
      ['::ffff:203.0.114.7', '203.0.113.0/24', 403],
      ['2001:db8::7', '2001:db8::/32', 200],
      ['2001:DB8:0:0:0:0:0:7', '2001:db8::7', 200],
      ['2001:db9::7', '2001:db8::/32', 403],
      ['2001:db8::7', '0.0.0.0/0', 403],
      ['not an address', '0.0.0.0/0', 403],
      ['999.1.1.1', '0.0.0.0/0', 403],
    ])('for a call from %s with the list %s returns %i', async (forwarded, entry, status) => {
      expect(await from(forwarded, [entry])).toBe(status);
    });
  });

  it('treats an IPv4-mapped address of a dual-stack socket as IPv4', async () => {
    const sms = await (await SmsFixture.shared()).beside({ HOST: '::' });
    try {
      const { key } = await sms.tenant({ ipAllowlist: ['127.0.0.1'] });
      expect((await call(sms, '/api/me', { key })).status).toBe(200);
    } finally {
      await sms.service.stop();
    }
  });

  it('trusts only the configured proxies', async () => {
    const sms = await (await SmsFixture.shared()).beside({ TRUST_PROXY: '10.0.0.0/8, 192.168.1.1' });
    try {
      const { key } = await sms.tenant({ ipAllowlist: ['203.0.113.7'] });
      const answer = await call(sms, '/api/me', { key, headers: { 'X-Forwarded-For': '203.0.113.7' } });
      expect([answer.status, codeOf(answer)]).toEqual([403, 'IP_NOT_ALLOWED']);
    } finally {
      await sms.service.stop();
    }
  });
});
