import { until } from '@heliograph/testing';
import { call, codeOf, postXml, smsRequest } from './calls';
import { SmsFixture } from './sms-fixture';

const UNREACHABLE = 'redis://127.0.0.1:1';

describe.each([
  ['counted in Redis', {}],
  ['counted in memory while Redis is unreachable', { REDIS_URL: UNREACHABLE }],
  ['counted in memory, without Redis', { REDIS_URL: '' }],
])('the rate limit, %s', (_where, environment) => {
  let sms: SmsFixture;
  beforeAll(async () => {
    sms = await (await SmsFixture.shared()).beside({ MESSAGING_RATE_PER_MINUTE: '5', ...environment });
  });
  afterAll(() => sms.service.stop());

  it('allows the configured calls per minute, returns the remaining calls and then 429 RATE_LIMITED', async () => {
    const { key } = await sms.tenant();
    await until('the limiter is ready', async () => {
      const { headers } = await call(sms, '/api/me', { key: (await sms.tenant()).key });
      return headers.get('ratelimit-remaining') === '4';
    });
    for (let left = 4; left >= 0; left--) {
      const answer = await call(sms, left % 2 ? '/api/me' : '/sms/senders', { key });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('ratelimit-limit')).toBe('5');
      expect(answer.headers.get('ratelimit-remaining')).toBe(String(left));
      expect(Number(answer.headers.get('ratelimit-reset'))).toBeGreaterThan(0);
      expect(Number(answer.headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60);
    }
    const refused = await call(sms, '/api/me', { key });
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual({ code: 'RATE_LIMITED', message: expect.any(String) as string });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(refused.headers.get('ratelimit-limit')).toBe('5');
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    expect(Number(refused.headers.get('ratelimit-reset'))).toBeGreaterThan(0);
    const xml = await postXml(sms, key, smsRequest({ from: 'x' }));
    expect([xml.status, codeOf(xml)]).toEqual([429, 'RATE_LIMITED']);
    expect(xml.text).toContain('<SmsResponse');
  });

  it('counts calls that are refused for their scope, and tells the rest', async () => {
    const { organizationId } = await sms.tenant();
    const key = await sms.tenants.key(organizationId, { scopes: ['email:send'] });
    const refused = await call(sms, '/sms/senders', { key });
    expect([refused.status, refused.headers.get('ratelimit-limit')]).toEqual([403, '5']);
    expect(Number(refused.headers.get('ratelimit-remaining'))).toBeLessThan(5);
    expect(Number(refused.headers.get('ratelimit-reset'))).toBeGreaterThan(0);
  });

  it('is counted per key, and not for calls without a key', async () => {
    const { key, organizationId } = await sms.tenant();
    const another = await sms.tenants.key(organizationId);
    for (let i = 0; i < 7; i++) await call(sms, '/api/me', { key });
    expect((await call(sms, '/api/me', { key })).status).toBe(429);
    expect((await call(sms, '/api/me', { key: another })).status).toBe(200);
    for (let i = 0; i < 7; i++) expect((await call(sms, '/api/me')).status).toBe(401);
    for (let i = 0; i < 7; i++) expect((await call(sms, '/health/live')).status).toBe(200);
  });
});

describe('a service whose Redis is unreachable', () => {
  let sms: SmsFixture;
  beforeAll(async () => {
    const environment = { MESSAGING_RATE_PER_MINUTE: '100000', REDIS_URL: UNREACHABLE };
    sms = await (await SmsFixture.shared()).beside(environment);
  });
  afterAll(() => sms.service.stop());

  it('sends without delay', async () => {
    const tenant = await sms.tenant();
    const send = () =>
      call(sms, `/sms/send?from=${tenant.sender.header}&to=${sms.recipient().slice(1)}&message=x`, { key: tenant.key });
    await send();
    const tookMs: number[] = [];
    for (let i = 0; i < 20; i++) {
      const startedAt = performance.now();
      expect((await send()).status).toBe(200);
      tookMs.push(performance.now() - startedAt);
    }
    // Waiting for a connection would take at least 250 ms for each call, whereas a busy machine does not delay every
    // call.
    expect(Math.min(...tookMs)).toBeLessThan(200);
  });

  it('is ready', async () => {
    const { status, body } = await call(sms, '/health/ready');
    expect(status).toBe(200);
    expect(body['checks']).toMatchObject({ redis: 'down', database: 'ok' });
  });
});

describe('a rate limit of 0', () => {
  it('disables the limit', async () => {
    // Services under test start with this limit unless the test sets another one.
    const sms = await SmsFixture.shared();
    const { key } = await sms.tenant();
    for (let i = 0; i < 20; i++) {
      const { status, headers } = await call(sms, '/api/me', { key });
      expect([status, headers.get('ratelimit-limit')]).toEqual([200, null]);
    }
  });
});
