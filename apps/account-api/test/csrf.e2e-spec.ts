import { unique } from '@heliograph/testing';
import { AccountFixture, PASSWORD, type Tenant } from './account-fixture';

type Headers = Record<string, string>;

describe('a write with a session cookie', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let cookie: string;
  beforeAll(async () => {
    fixture = await AccountFixture.sharedBehindProxy();
    tenant = await fixture.tenant();
    cookie = await fixture.login(tenant.owner.email);
  });

  /** Sends a write without the `Origin` that the fixture adds for cookies. */
  const write = (headers: Headers, method = 'POST', path = '/api/workspaces', body?: unknown) =>
    fixture.call(method, path, {
      headers: { cookie, ...headers },
      body: body ?? { slug: `made-${unique()}`, displayName: 'Made' },
    });
  const own = () => fixture.service.url;
  const forbidden = { status: 403, ok: false, error: { code: 'FORBIDDEN' } };

  it.each<[string, () => Headers]>([
    ['the origin of the service', () => ({ origin: own() })],
    [
      'the origin of the service and a contradicting Sec-Fetch-Site',
      () => ({ origin: own(), 'sec-fetch-site': 'none' }),
    ],
    ['no Origin, but Sec-Fetch-Site: same-origin', () => ({ 'sec-fetch-site': 'same-origin' })],
    [
      'the HTTPS origin of the proxy that terminates TLS',
      () => ({ origin: own().replace('http:', 'https:'), 'x-forwarded-proto': 'https', cookie: `__Host-${cookie}` }),
    ],
  ])('is accepted with %s', async (_what, headers) => {
    expect((await write(headers())).status).toBe(201);
  });

  it.each<[string, () => Headers]>([
    ['neither Origin nor Sec-Fetch-Site', () => ({})],
    ['a foreign origin', () => ({ origin: 'https://evil.example' })],
    [
      'a foreign origin and Sec-Fetch-Site: same-origin',
      () => ({ origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }),
    ],
    ['the null origin of a sandboxed frame', () => ({ origin: 'null' })],
    ['an empty origin', () => ({ origin: '' })],
    ['another port', () => ({ origin: 'http://127.0.0.1:1' })],
    ['another scheme', () => ({ origin: own().replace('http:', 'https:') })],
    ['an origin that starts with the origin of the service', () => ({ origin: `${own()}.evil.example` })],
    ['a URL instead of an origin', () => ({ origin: `${own()}/` })],
    ['Sec-Fetch-Site: same-site', () => ({ 'sec-fetch-site': 'same-site' })],
    ['Sec-Fetch-Site: cross-site', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['Sec-Fetch-Site: none', () => ({ 'sec-fetch-site': 'none' })],
    ['only a Referer of the service', () => ({ referer: `${own()}/page` })],
  ])('is FORBIDDEN with %s', async (_what, headers) => {
    const slugs = () =>
      fixture.database.query<{ count: number }>(
        'SELECT count(*)::int FROM tenancy.workspaces WHERE organization_id = $1',
        [tenant.organizationId],
      );
    const before = await slugs();
    expect(await write(headers())).toMatchObject(forbidden);
    expect(await slugs()).toEqual(before);
  });

  it('is FORBIDDEN from a foreign origin for every method and route', async () => {
    const foreign = { origin: 'https://evil.example' };
    for (const [method, path] of [
      ['PATCH', '/api/organization'],
      ['DELETE', `/api/organization/members/${tenant.owner.id}`],
      ['PUT', '/api/organization/ip-allowlist'],
      ['PATCH', '/api/auth/user'],
      ['PUT', '/api/auth/password'],
      ['DELETE', '/api/auth/mfa'],
      ['POST', '/api/auth/logout'],
    ] as const) {
      expect(await write(foreign, method, path, {})).toMatchObject(forbidden);
    }
    expect((await fixture.call('GET', '/api/auth/session', { cookie })).status).toBe(200);
  });

  it('is restricted to the origin of the service, whereas reads are allowed from any origin', async () => {
    const each: Headers[] = [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }];
    for (const headers of each) {
      const answer = await fixture.call('GET', '/api/workspaces', { headers: { cookie, ...headers } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('is not restricted if an API key is used, which browsers do not send automatically', async () => {
    const answer = await fixture.call('POST', '/api/workspaces', {
      key: tenant.key,
      headers: { origin: 'https://evil.example', cookie },
      body: { slug: `made-${unique()}`, displayName: 'Made' },
    });
    expect(answer.status).toBe(201);
  });

  it('is FORBIDDEN for a login from a foreign page, but allowed for a client without an Origin', async () => {
    const login = (headers: Headers) =>
      fixture.call('POST', '/api/auth/login', { headers, body: { email: tenant.owner.email, password: PASSWORD } });
    expect(await login({ origin: 'https://evil.example' })).toMatchObject(forbidden);
    expect(await login({ origin: 'null' })).toMatchObject(forbidden);
    expect(await login({ 'sec-fetch-site': 'cross-site' })).toMatchObject(forbidden);
    expect((await login({})).status).toBe(200);
    expect((await login({ origin: own() })).status).toBe(200);
  });
});

describe('a service with PUBLIC_ORIGINS', () => {
  let fixture: AccountFixture;
  beforeAll(async () => {
    const shared = await AccountFixture.sharedBehindProxy();
    fixture = await shared.beside({ PUBLIC_ORIGINS: 'https://console.example, https://admin.example' });
  });
  afterAll(() => fixture.service.stop());

  it('accepts writes from these origins only, and not from its own address', async () => {
    const { owner } = await fixture.tenant();
    const { headers } = await fixture.call('POST', '/api/auth/login', {
      body: { email: owner.email, password: PASSWORD },
    });
    const cookie = headers.getSetCookie()[0]!.split(';')[0]!;
    const statusFrom = async (origin: string) =>
      (await fixture.call('PATCH', '/api/auth/user', { headers: { cookie, origin }, body: { name: 'Ann' } })).status;
    expect(await statusFrom('https://console.example')).toBe(200);
    expect(await statusFrom('https://admin.example')).toBe(200);
    expect(await statusFrom(fixture.service.url)).toBe(403);
    expect(await statusFrom('https://console.example.evil.example')).toBe(403);
  });
});
