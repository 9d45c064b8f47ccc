import { TcpProxy, testServers, until, type TestService } from '@heliograph/testing';
import { AccountFixture, PASSWORD, type Tenant } from './account-fixture';

describe('a service without PostgreSQL', () => {
  let proxy: TcpProxy;
  let tenant: Tenant;
  let cookie: string;
  /** A second service on the database of the fixture, connected through the proxy. */
  let service: TestService;
  beforeAll(async () => {
    proxy = await TcpProxy.start(testServers.databaseUrl);
    const fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
    cookie = await fixture.login(tenant.owner.email);
    ({ service } = await fixture.beside(proxy.databaseSettings(fixture.database.url)));
  });
  afterAll(async () => {
    proxy.heal();
    await service.stop();
    await proxy.stop();
  });

  const call = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
    fetch(`${service.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', origin: service.url, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const login = () => call('POST', '/api/auth/login', {}, { email: tenant.owner.email, password: PASSWORD });

  it('returns 503 with Retry-After in the envelope without hanging, and recovers automatically', async () => {
    expect((await login()).status).toBe(200);
    proxy.cut();
    const startedAt = Date.now();
    const byKey = { authorization: `Bearer ${tenant.key}` };
    for (const answer of [
      await login(),
      await call('GET', '/api/auth/session', { cookie }),
      await call('POST', '/api/auth/logout', { cookie }),
      await call('GET', '/api/workspaces', byKey),
      await call('GET', '/api/organization', { authorization: 'Bearer of-nobody' }),
      await call('PATCH', '/api/organization', byKey, { name: 'New' }),
      await call('POST', '/api/auth/password-resets', {}, { email: tenant.owner.email }),
      await call('GET', `/api/auth/invitations/${'x'.repeat(43)}`, {}),
    ]) {
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.headers.get('x-request-id')).not.toBeNull();
      expect(await answer.json()).toEqual({
        ok: false,
        error: { code: 'SERVICE_UNAVAILABLE', message: expect.any(String) as string },
      });
    }
    expect(Date.now() - startedAt).toBeLessThan(15_000);
    expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(503);
    proxy.heal();
    await until('logins are accepted again', async () => (await login()).status === 200);
    expect((await call('GET', '/api/auth/session', { cookie })).status).toBe(200);
  });
});
