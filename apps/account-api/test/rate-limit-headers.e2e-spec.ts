import { httpCall } from '@heliograph/testing';
import { AccountFixture } from './account-fixture';

describe('the rate limit headers', () => {
  let fixture: AccountFixture;
  beforeAll(async () => {
    const limits = { MESSAGING_RATE_PER_MINUTE: '100', ACCOUNT_RATE_PER_MINUTE: '200' };
    fixture = await (await AccountFixture.shared()).beside(limits);
  });
  afterAll(() => fixture.service.stop());

  const call = async (method: string, path: string, key?: string) => {
    const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const response = await httpCall(`${fixture.service.url}${path}`, { method, headers });
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
      Number(response.headers.get(`ratelimit-${name}`) ?? NaN),
    );
    return { status: response.status, limit, remaining, reset };
  };

  it.each([
    ['an unknown path (404)', 404, 'GET', '/api/nothing', 200],
    ['an unknown path of v1 (404)', 404, 'GET', '/api/v1/nothing', 100],
    ['a wrong method (405)', 405, 'PUT', '/api/workspaces', 200],
    ['a wrong method of v1 (405)', 405, 'PATCH', '/api/v1/contacts', 100],
    ['a call without a key (401)', 401, 'GET', '/api/workspaces', 200],
    ['a call to v1 without a key (401)', 401, 'GET', '/api/v1/contacts', 100],
  ])('are on the response to %s', async (_what, status, method, path, limit) => {
    const answer = await call(method, path);
    expect(answer).toMatchObject({ status, limit });
    expect(answer.remaining).toBeGreaterThanOrEqual(0);
    expect(answer.remaining).toBeLessThanOrEqual(limit);
    expect(answer.reset).toBeGreaterThan(0);
    expect(answer.reset).toBeLessThanOrEqual(60);
  });

  it('are on the response to an unknown key and to an address that is not allowed', async () => {
    const { id } = await fixture.factory.organization({ ipAllowlist: ['203.0.113.0/24'] });
    const key = await fixture.factory.key(id);
    for (const [path, limit] of [
      ['/api/workspaces', 200],
      ['/api/v1/contacts', 100],
    ] as const) {
      expect(await call('GET', path, 'sk_live_unknown')).toMatchObject({ status: 401, limit });
      expect(await call('GET', path, key)).toMatchObject({ status: 403, limit });
    }
  });
});
