import { randomBytes } from 'node:crypto';
import { startTestService, TcpProxy, testServers, until, unique, type TestService } from '@heliograph/testing';
import { accountApi } from '../src/account-api.service';
import { AccountFixture, PASSWORD, type Answer, type Credentials, type Tenant } from './account-fixture';

const LIMITS = { ACCOUNT_AUTH_RATE_PER_MINUTE: '10', ACCOUNT_RATE_PER_MINUTE: '120', TRUST_PROXY: '1' };

/** Returns an address that no other test uses, because the tests share one Redis. */
function someAddress(): string {
  return `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`;
}

/** Waits for the Redis connection, because a service counts in memory until it is connected. */
function countsInRedis(url: string): Promise<unknown> {
  return until('the limiter counts in Redis', async () => {
    const response = await fetch(`${url}/health/ready`);
    return (await response.text()).includes('"redis":"ok"');
  });
}

describe('the rate limits', () => {
  let proxy: TcpProxy;
  let fixture: AccountFixture;
  let tenant: Tenant;
  let cookie: string;
  beforeAll(async () => {
    proxy = await TcpProxy.start(testServers.redisUrl);
    fixture = await AccountFixture.start({ ...LIMITS, REDIS_URL: proxy.through(testServers.redisUrl) });
    tenant = await fixture.tenant();
    cookie = await session(someAddress());
    await countsInRedis(fixture.service.url);
  });
  afterAll(async () => {
    await fixture.stop();
    await proxy.stop();
  });
  afterEach(() => proxy.heal());

  const call = (method: string, path: string, from: string, by: Credentials & { body?: unknown } = {}) =>
    fixture.call(method, path, { ...by, headers: { 'x-forwarded-for': from } });
  const login = (from: string, password = PASSWORD) =>
    call('POST', '/api/auth/login', from, { body: { email: tenant.owner.email, password } });
  const session = async (from: string) => (await login(from)).headers.getSetCookie()[0]!.split(';')[0]!;
  const limits = ({ headers }: Answer) =>
    ['limit', 'remaining'].map((name) => Number(headers.get(`ratelimit-${name}`) ?? NaN));
  const expectRefused = (answer: Answer, limit: number) => {
    expect(answer).toMatchObject({ status: 429, ok: false, error: { code: 'RATE_LIMITED' } });
    expect(limits(answer)).toEqual([limit, 0]);
    for (const name of ['retry-after', 'ratelimit-reset']) {
      expect(Number(answer.headers.get(name))).toBeGreaterThan(0);
      expect(Number(answer.headers.get(name))).toBeLessThanOrEqual(60);
    }
  };

  it('allow ten requests per minute and address on login, logout and session together', async () => {
    const from = someAddress();
    const calls = [
      () => login(from),
      () => login(from, 'not the password'),
      () => call('POST', '/api/auth/login', from, { body: '{' }),
      () => call('GET', '/api/auth/session', from, { cookie }),
      () => call('GET', '/api/auth/session', from),
      () => call('POST', '/api/auth/logout', from),
    ];
    const statuses: number[] = [];
    for (let left = 9; left >= 0; left--) {
      const answer = await calls[(9 - left) % calls.length]!();
      statuses.push(answer.status);
      expect(limits(answer)).toEqual([10, left]);
      expect(Number(answer.headers.get('ratelimit-reset'))).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([200, 401, 400, 200, 401, 401, 200, 401, 400, 200]);
    for (const next of calls) expectRefused(await next(), 10);
    expect((await login(someAddress())).status).toBe(200);
  });

  it('reject requests without checking a password or creating a session', async () => {
    const from = someAddress();
    for (let i = 0; i < 10; i++) await call('GET', '/api/auth/session', from);
    const count = () => fixture.database.query('SELECT count(*)::int FROM users.sessions');
    const before = await count();
    const answer = await login(from);
    expectRefused(answer, 10);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await count()).toEqual(before);
  });

  it('count other routes with a password, a code or a link separately by address', async () => {
    const from = someAddress();
    const token = 'x'.repeat(43);
    const calls = [
      () => call('POST', '/api/auth/password-resets', from, { body: { email: `${unique()}@example.com` } }),
      () => call('POST', `/api/auth/password-resets/${token}`, from, { body: { password: PASSWORD } }),
      () => call('GET', `/api/auth/invitations/${token}`, from),
      () => call('POST', `/api/auth/invitations/${token}`, from, { body: { password: PASSWORD } }),
      () => call('PUT', '/api/auth/password', from, { cookie, body: {} }),
      () => call('POST', '/api/auth/mfa', from, { cookie, body: {} }),
      () => call('POST', '/api/auth/mfa/confirm', from, { cookie, body: {} }),
      () => call('POST', '/api/auth/mfa/recovery-codes', from, { cookie, body: {} }),
      () => call('DELETE', '/api/auth/mfa', from, { cookie, body: {} }),
    ];
    for (let left = 9; left >= 0; left--) expect(limits(await calls[left % calls.length]!())).toEqual([10, left]);
    for (const next of calls) expectRefused(await next(), 10);
    expect(limits(await login(from))).toEqual([10, 9]);
    expect(limits(await call('GET', '/api/auth/mfa', from, { cookie }))[0]).toBe(120);
  });

  it('allow 120 requests per minute and key on all other routes, from any address', async () => {
    const { key, organizationId } = await fixture.tenant();
    const paths = ['/api/workspaces', '/api/organization', '/api/organization/members'];
    for (let left = 119; left >= 0; left--) {
      const answer = await call('GET', paths[left % paths.length]!, someAddress(), { key });
      expect([answer.status, ...limits(answer)]).toEqual([200, 120, left]);
    }
    expectRefused(await call('GET', '/api/workspaces', someAddress(), { key }), 120);
    expectRefused(await call('PATCH', '/api/organization', someAddress(), { key, body: {} }), 120);
    const another = await fixture.factory.key(organizationId);
    expect((await call('GET', '/api/workspaces', someAddress(), { key: another })).status).toBe(200);
  });

  it('count each session separately, and unauthenticated requests by address', async () => {
    const fresh = await session(someAddress());
    const from = someAddress();
    expect(limits(await call('GET', '/api/workspaces', from, { cookie: fresh }))).toEqual([120, 119]);
    expect(limits(await call('GET', '/api/workspaces', from, { cookie: fresh }))).toEqual([120, 118]);
    const other = await session(someAddress());
    expect(limits(await call('GET', '/api/workspaces', from, { cookie: other }))).toEqual([120, 119]);
    expect(limits(await call('GET', '/api/workspaces', from))).toEqual([120, 119]);
    expect(limits(await call('GET', '/api/workspaces', from, { key: 'nobody' }))).toEqual([120, 118]);
  });

  it('are shared by all replicas', async () => {
    const from = someAddress();
    let replica: TestService | null = null;
    try {
      replica = await startTestService(accountApi, fixture.database.url, LIMITS);
      const { url } = replica;
      await countsInRedis(url);
      const there = () => fetch(`${url}/api/auth/session`, { headers: { 'x-forwarded-for': from } });
      for (let i = 0; i < 5; i++) await call('GET', '/api/auth/session', from);
      expect((await there()).headers.get('ratelimit-remaining')).toBe('4');
      for (let i = 0; i < 4; i++) await there();
      expect((await there()).status).toBe(429);
      expectRefused(await call('GET', '/api/auth/session', from), 10);
    } finally {
      await replica?.stop();
    }
  });

  it('are counted in memory while Redis is unavailable, without failed or delayed requests', async () => {
    proxy.cut();
    const from = someAddress();
    for (let left = 9; left >= 0; left--) {
      const startedAt = performance.now();
      const answer = await call('GET', '/api/auth/session', from, { cookie });
      expect([answer.status, ...limits(answer)]).toEqual([200, 10, left]);
      expect(performance.now() - startedAt).toBeLessThan(4_000);
    }
    expectRefused(await login(from), 10);
  });

  it('do not apply to health probes', async () => {
    const response = await fetch(`${fixture.service.url}/health/live`);
    expect([response.status, response.headers.get('ratelimit-limit')]).toEqual([200, null]);
  });
});
