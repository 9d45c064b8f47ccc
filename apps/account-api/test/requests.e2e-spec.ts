import { until } from '@heliograph/testing';
import type { NewKey } from '../src/developer/api-keys/api-keys.dto';
import { AccountFixture, type Tenant } from './account-fixture';

interface Logged {
  id: string;
  request_id: string;
  path: string;
  status: number;
  error: string | null;
}

describe('GET /api/v1/requests', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
  });
  beforeEach(async () => {
    tenant = await fixture.tenant();
  });

  const call = (path: string, key: string) => fixture.call('GET', path, { key });
  const list = async (query: string, key: string) =>
    (await fixture.v1<{ data: Logged[] }>('GET', `/api/v1/requests${query}`, { key })).data;
  const untilLogged = (query: string, key: string, count = 1): Promise<Logged[]> =>
    until(`${count} calls are logged`, async () => {
      const calls = await list(query, key);
      return calls.length >= count && calls;
    });

  it('contains each call of a key with exactly the documented fields, and the bodies of a refused one', async () => {
    const requestId = `order-${tenant.organizationId}`;
    const request = { first_name: 'Ann', phone: '+919876543210', emails: 'ann@example.com' };
    const headers = { 'x-request-id': requestId };
    await fixture.call('POST', '/api/v1/contacts', { key: tenant.key, body: request, headers });
    const [logged] = await untilLogged(`?request_id=${requestId}`, tenant.key);
    expect(logged).toEqual({
      id: expect.any(String) as string,
      request_id: requestId,
      at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      key_id: expect.any(String) as string,
      workspace_id: null,
      service: 'account-api',
      method: 'POST',
      path: '/api/v1/contacts',
      status: 400,
      error: 'INVALID_REQUEST',
      duration_ms: expect.any(Number) as number,
      ip_address: '127.0.0.1',
    });
    const details = await fixture.v1<Logged & { request_body: string; response_body: string }>(
      'GET',
      `/api/v1/requests/${logged!.id}`,
      { key: tenant.key },
    );
    expect(details).toMatchObject(logged!);
    expect(JSON.parse(details.request_body)).toEqual({ first_name: 'Ann', phone: '…3210', emails: '…@example.com' });
    expect(JSON.parse(details.response_body)).toMatchObject({ code: 'INVALID_REQUEST', fields: [{ field: 'emails' }] });
  });

  it('contains refused calls of a scoped key, and none of other organizations or of sessions', async () => {
    const scoped = await fixture.factory.key(tenant.organizationId, { scopes: ['sms:send'] });
    await call('/api/v1/contacts', scoped);
    const [refused] = await untilLogged('?result=error', tenant.key);
    expect(refused).toMatchObject({ path: '/api/v1/contacts', status: 403, error: 'FORBIDDEN' });
    const cookie = await fixture.login(tenant.owner.email);
    await fixture.call('GET', '/api/organization', { cookie });
    await call('/api/workspaces', tenant.key);
    await untilLogged('?path=/api/workspaces', tenant.key);
    expect(await list('?path=/api/organization', tenant.key)).toEqual([]);
    const other = await fixture.tenant();
    expect(await list('?path=/api/workspaces', other.key)).toEqual([]);
    expect((await call(`/api/v1/requests/${refused!.id}`, other.key)).status).toBe(404);
  });

  it('contains the bodies of every call with a test key, apart from the live calls', async () => {
    const { data } = await fixture.call<NewKey>('POST', '/api/organization/api-keys', {
      key: tenant.key,
      body: { name: 'tests', role: 'owner', mode: 'test' },
    });
    const body = { first_name: 'Ann', email: 'ann@example.com' };
    await fixture.call('POST', '/api/v1/contacts', { key: data.key, body });
    const [logged] = await untilLogged('?path=/api/v1/contacts', data.key);
    const details = await fixture.v1<{ request_body: string; response_body: string }>(
      'GET',
      `/api/v1/requests/${logged!.id}`,
      { key: data.key },
    );
    const masked = { first_name: 'Ann', email: '…@example.com' };
    expect(JSON.parse(details.request_body)).toEqual(masked);
    expect(JSON.parse(details.response_body)).toMatchObject(masked);
    expect(await list('?path=/api/v1/contacts', tenant.key)).toEqual([]);
  });

  it('shows a key of a workspace only the calls of the workspace', async () => {
    const bound = await fixture.factory.key(tenant.organizationId, { workspaceId: tenant.workspace.id });
    await call('/api/v1/events', tenant.key);
    await call('/api/v1/events', bound);
    await untilLogged('?path=/api/v1/events', tenant.key, 2);
    const own = await untilLogged('?path=/api/v1/events', bound);
    expect(own).toMatchObject([{ workspace_id: tenant.workspace.id }]);
    expect(await list(`?workspace_id=${tenant.organizationId}`, bound)).toEqual([]);
  });

  it.each([
    'status=99',
    'status=abc',
    'method=get',
    'result=maybe',
    'from=yesterday',
    'until=1',
    'path=',
    'error=%00',
    'cursor=x',
  ])('refuses the query %s', async (query) => {
    const { status, error } = await call(`/api/v1/requests?${query}`, tenant.key);
    expect([status, error]).toEqual([
      400,
      expect.objectContaining({
        code: 'INVALID_REQUEST',
        fields: [{ field: query.split('=')[0], message: expect.any(String) as string }],
      }),
    ]);
  });
});
