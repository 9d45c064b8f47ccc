import { newId } from '@heliograph/database';
import { AccountFixture, type Tenant } from './account-fixture';

const RANGE = 'from=2026-01-01T00:00:00Z&until=2026-01-02T00:00:00Z';

describe('a workspace_id of the v1 API', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let foreign: Tenant;
  let bound: { key: string; other: string };
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
    foreign = await fixture.tenant();
    const other = await fixture.factory.workspace(tenant.organizationId);
    const key = await fixture.factory.key(tenant.organizationId, { workspaceId: tenant.workspace.id, role: 'owner' });
    bound = { key, other: other.id };
  });

  const call = async (method: string, path: string, key: string, body?: object) => {
    const answer = await fixture.v1<{ status: number; code: string }>(method, path, { key, body });
    return [answer.status, answer.code];
  };
  const QUERIES = [
    `analytics/overview?${RANGE}`,
    `analytics/sms?${RANGE}`,
    `analytics/email?${RANGE}`,
    'credits/balance?limit_=',
    'credits/transactions?limit=1',
    'credits/purchases?limit=1',
    'events?limit=1',
    'reports?limit=1',
    'webhooks?limit=1',
  ].map((path) => path.replace('?limit_=', '?'));
  const BODIES: [string, string, object][] = [
    ['POST', 'reports', { type: 'contacts' }],
    ['POST', 'webhooks', { url: 'https://hooks.example.com/x', events: ['*'] }],
  ];

  describe.each(QUERIES)('in the query of GET /api/v1/%s', (path) => {
    it.each(['', 'x', 'null', '%00', '00000000-0000-0000-0000-00000000000g'])(
      'of the wrong form (%j) is not found',
      async (id) => {
        expect(await call('GET', `/api/v1/${path}&workspace_id=${id}`, tenant.key)).toEqual([404, 'NOT_FOUND']);
      },
    );

    it('that is foreign, unknown, or not that of a bound key is not found', async () => {
      for (const id of [foreign.workspace.id, newId()]) {
        expect(await call('GET', `/api/v1/${path}&workspace_id=${id}`, tenant.key)).toEqual([404, 'NOT_FOUND']);
      }
      const other = `/api/v1/${path}&workspace_id=${bound.other}`;
      expect(await call('GET', other, bound.key)).toEqual([404, 'NOT_FOUND']);
    });

    it('of the organization, in any case, is found', async () => {
      const [status] = await call(
        'GET',
        `/api/v1/${path}&workspace_id=${tenant.workspace.id.toUpperCase()}`,
        tenant.key,
      );
      expect(status).toBe(200);
    });
  });

  it.each(BODIES)('in the body of %s /api/v1/%s is not found unless the key may use it', async (method, path, body) => {
    for (const id of ['x', '', foreign.workspace.id, newId()]) {
      const answer = await call(method, `/api/v1/${path}`, tenant.key, { ...body, workspace_id: id });
      expect([id, ...answer]).toEqual([id, 404, 'NOT_FOUND']);
    }
    const other = await call(method, `/api/v1/${path}`, bound.key, { ...body, workspace_id: bound.other });
    // A bound key does not write reports at all.
    expect(other).toEqual(path === 'reports' ? [403, 'FORBIDDEN'] : [404, 'NOT_FOUND']);
    const number = await call(method, `/api/v1/${path}`, tenant.key, { ...body, workspace_id: 5 });
    expect(number).toEqual([400, 'INVALID_REQUEST']);
  });

  it('in a change of a webhook is not found if it is foreign', async () => {
    const body = { url: 'https://hooks.example.com/x', events: ['*'] };
    const { id } = await fixture.v1<{ id: string }>('POST', '/api/v1/webhooks', { key: tenant.key, body });
    for (const workspace_id of ['x', foreign.workspace.id]) {
      expect(await call('PUT', `/api/v1/webhooks/${id}`, tenant.key, { workspace_id })).toEqual([404, 'NOT_FOUND']);
    }
  });

  it('is the only one of a list: the webhooks of other workspaces are not in it', async () => {
    const body = { url: 'https://hooks.example.com/y', events: ['*'], workspace_id: bound.other };
    await fixture.call('POST', '/api/v1/webhooks', { key: tenant.key, body });
    const list = async (id: string) => {
      const path = `/api/v1/webhooks?workspace_id=${id}`;
      const { data } = await fixture.v1<{ data: { workspace_id: string }[] }>('GET', path, { key: tenant.key });
      return data.map((one) => one.workspace_id);
    };
    expect(await list(bound.other)).toEqual([bound.other]);
  });
});
