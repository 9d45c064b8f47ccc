import { until, unique } from '@heliograph/testing';
import { call, codeOf, postJson, postXml, smsRequest } from './calls';
import { RECIPIENT, SmsFixture } from './sms-fixture';

const SEND = ['POST /sms/send', 'GET /sms/send', 'POST /sms/soap', 'POST /sms/cancel'];
const READ = ['GET /sms/status', 'GET /sms/senders', 'GET /sms/templates', 'GET /sms/balance'];
const ALL = [...SEND, ...READ].flatMap((route) => [route, route.replace(' /', ' /api/')]);

describe('authentication', () => {
  let sms: SmsFixture;
  beforeAll(async () => {
    sms = await SmsFixture.shared();
  });

  const knock = (route: string, key: string | null, headers: Record<string, string> = {}, query = '') => {
    const [method = '', path = ''] = route.split(' ');
    return call(sms, path + query, { method, key, headers });
  };
  const refusal = (code: string) => ({ code, message: expect.any(String) as string });

  describe.each([...ALL, 'GET /api/me'])('for %s', (route) => {
    const isXml = route.endsWith('soap');

    it('returns 401 UNAUTHENTICATED without a key', async () => {
      const answer = await knock(route, null);
      expect(answer.status).toBe(401);
      expect(isXml ? answer.body['error'] : answer.body).toEqual(refusal('UNAUTHENTICATED'));
    });

    it('returns 401 for an unknown key', async () => {
      const answer = await knock(route, `msg_live_${'x'.repeat(40)}`);
      expect([answer.status, codeOf(answer)]).toEqual([401, 'UNAUTHENTICATED']);
    });

    it('returns 403 FORBIDDEN for an unbound key', async () => {
      const answer = await knock(route, await sms.tenants.key(null));
      expect([answer.status, codeOf(answer)]).toEqual([403, 'FORBIDDEN']);
    });
  });

  it.each(SEND.flatMap((route) => [route, route.replace(' /', ' /api/')]))(
    'requires sms:send for %s',
    async (route) => {
      const { organizationId } = await sms.tenant();
      const without = await knock(route, await sms.tenants.key(organizationId, { scopes: ['sms:read', 'email:send'] }));
      expect([without.status, codeOf(without)]).toEqual([403, 'FORBIDDEN']);
      const having = await knock(route, await sms.tenants.key(organizationId, { scopes: ['sms:send'] }));
      expect(having.status).toBe(400);
    },
  );

  it.each(READ.flatMap((route) => [route, route.replace(' /', ' /api/')]))(
    'requires sms:read for %s',
    async (route) => {
      const { organizationId } = await sms.tenant();
      const without = await knock(route, await sms.tenants.key(organizationId, { scopes: ['sms:send', 'email:read'] }));
      expect([without.status, codeOf(without)]).toEqual([403, 'FORBIDDEN']);
      const having = await knock(route, await sms.tenants.key(organizationId, { scopes: ['sms:read'] }));
      expect(having.status).toBe(route.endsWith('status') ? 400 : 200);
    },
  );

  it('requires no scope for /api/me', async () => {
    const { organizationId } = await sms.tenant();
    const key = await sms.tenants.key(organizationId, { scopes: ['email:read'] });
    expect((await call(sms, '/api/me', { key })).status).toBe(200);
  });

  it('allows a viewer to send, because only scopes apply', async () => {
    const tenant = await sms.tenant();
    const key = await sms.tenants.key(tenant.organizationId, { role: 'viewer' });
    const answer = await postJson(sms, key, { from: tenant.sender.header, to: RECIPIENT, message: 'x' });
    expect(answer.status).toBe(200);
  });

  it('accepts the key in Authorization: Bearer, with any case of the scheme', async () => {
    const { key } = await sms.tenant();
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expect((await knock('GET /api/me', null, { Authorization: `${scheme} ${key}` })).status).toBe(200);
    }
  });

  it('accepts the key in X-API-Key', async () => {
    const { key } = await sms.tenant();
    expect((await knock('GET /api/me', null, { 'x-api-key': key })).status).toBe(200);
  });

  it('accepts both headers if they are equal and rejects them otherwise', async () => {
    const { key } = await sms.tenant();
    const other = (await sms.tenant()).key;
    expect((await knock('GET /api/me', key, { Authorization: `Bearer ${key}` })).status).toBe(200);
    expect((await knock('GET /api/me', key, { Authorization: `Bearer ${other}` })).status).toBe(401);
    expect((await knock('GET /api/me', key, { Authorization: 'Basic dXNlcjpwYXNz' })).status).toBe(401);
  });

  it.each(['Bearer', 'Bearer ', 'Token KEY', 'KEY', 'Bearer KEY KEY', 'Bearer "KEY"'])(
    'rejects the header Authorization: %s',
    async (header) => {
      const { key } = await sms.tenant();
      const answer = await knock('GET /api/me', null, { Authorization: header.replaceAll('KEY', key) });
      expect([answer.status, codeOf(answer)]).toEqual([401, 'UNAUTHENTICATED']);
    },
  );

  it.each(['key', 'api_key', 'apiKey', 'X-API-Key', 'access_token', 'authorization'])(
    'does not read a key from the query parameter %s',
    async (name) => {
      const { key } = await sms.tenant();
      for (const route of ['GET /sms/send', 'GET /sms/balance', 'POST /sms/soap', 'GET /api/me']) {
        expect((await knock(route, null, {}, `?${name}=${key}`)).status).toBe(401);
      }
    },
  );

  it('rejects a key as soon as it expires', async () => {
    const { organizationId } = await sms.tenant();
    const gone = await sms.tenants.key(organizationId, { expiresAt: new Date(Date.now() - 1_000) });
    expect((await call(sms, '/api/me', { key: gone })).status).toBe(401);
    const expiresAt = new Date(Date.now() + 2_000);
    const key = await sms.tenants.key(organizationId, { expiresAt });
    expect((await call(sms, '/api/me', { key })).status).toBe(200);
    await until('the key has expired', async () => (await call(sms, '/api/me', { key })).status === 401);
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime());
    expect(Date.now()).toBeLessThan(expiresAt.getTime() + 2_000);
  });

  it('rejects a revoked key within two seconds', async () => {
    const { organizationId } = await sms.tenant();
    const name = `to-revoke-${unique()}`;
    const key = await sms.tenants.key(organizationId, { name });
    expect((await call(sms, '/api/me', { key })).status).toBe(200);
    await sms.tenants.key(organizationId, { name, secret: key, revoked: true });
    await until('the request is rejected', async () => (await call(sms, '/api/me', { key })).status === 401, {
      timeoutMs: 2_000,
    });
  });

  it('accepts a new key immediately, even if it was rejected before', async () => {
    const { organizationId } = await sms.tenant();
    const secret = `msg_live_${unique()}${unique()}${unique()}${unique()}`;
    expect((await call(sms, '/api/me', { key: secret })).status).toBe(401);
    await sms.tenants.key(organizationId, { secret });
    await until('the change is effective', async () => (await call(sms, '/api/me', { key: secret })).status === 200, {
      timeoutMs: 2_000,
    });
  });

  it('applies changed scopes within two seconds', async () => {
    const { organizationId } = await sms.tenant();
    const name = `scoped-${unique()}`;
    const key = await sms.tenants.key(organizationId, { name, scopes: ['sms:read'] });
    expect((await call(sms, '/sms/senders', { key })).status).toBe(200);
    await sms.tenants.key(organizationId, { name, secret: key, scopes: ['sms:send'] });
    await until('the request is rejected', async () => (await call(sms, '/sms/senders', { key })).status === 403, {
      timeoutMs: 2_000,
    });
  });

  it('returns SOAP authentication errors as XML, in the envelope of the request headers', async () => {
    const bare = await postXml(sms, null, smsRequest({ from: 'x' }));
    expect(bare.headers.get('content-type')).toMatch(/^application\/xml/);
    expect(bare.text).not.toContain('Envelope');
    const soap12 = await postXml(sms, null, '', { headers: { 'Content-Type': 'application/soap+xml' } });
    expect(soap12.headers.get('content-type')).toMatch(/^application\/soap\+xml/);
    expect(soap12.text).toContain('http://www.w3.org/2003/05/soap-envelope');
    const soap11 = await postXml(sms, null, '', { headers: { 'Content-Type': 'text/xml', SOAPAction: '""' } });
    expect(soap11.headers.get('content-type')).toMatch(/^text\/xml/);
    expect(soap11.text).toContain('http://schemas.xmlsoap.org/soap/envelope/');
    for (const answer of [bare, soap12, soap11]) {
      expect(answer.body).toEqual({ ok: 'false', error: refusal('UNAUTHENTICATED') });
    }
  });
});
