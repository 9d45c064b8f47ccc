import { ROLES, type Role } from '@heliograph/contracts';
import { newId } from '@heliograph/database';
import type { Permission } from '../src/access/permissions';
import { AccountFixture, type Credentials, type Tenant } from './account-fixture';
import { fill, hasBody, routesOf, type Route } from './routes';

/** An independent copy of the expected permissions, which detects mistakes in the table of the service. */
const EXPECTED: Record<Permission, readonly Role[]> = {
  'organization:read': ['owner', 'admin', 'member', 'viewer'],
  'organization:write': ['owner', 'admin'],
  'workspaces:read': ['owner', 'admin', 'member', 'viewer'],
  'workspaces:write': ['owner', 'admin'],
  'members:read': ['owner', 'admin', 'member', 'viewer'],
  'members:write': ['owner', 'admin'],
  'keys:read': ['owner', 'admin', 'member'],
  'keys:write': ['owner', 'admin'],
  'allowlist:read': ['owner', 'admin'],
  'allowlist:write': ['owner', 'admin'],
  'credits:read': ['owner', 'admin', 'member', 'viewer'],
  'credits:write': ['owner', 'admin'],
  'billing:read': ['owner', 'admin'],
  'sms:read': ['owner', 'admin', 'member', 'viewer'],
  'sms:write': ['owner', 'admin', 'member'],
  'email:read': ['owner', 'admin', 'member', 'viewer'],
  'email:write': ['owner', 'admin', 'member'],
  'chatapp:read': ['owner', 'admin', 'member', 'viewer'],
  'chatapp:write': ['owner', 'admin', 'member'],
  'bots:read': ['owner', 'admin', 'member', 'viewer'],
  'bots:write': ['owner', 'admin', 'member'],
  'conversations:read': ['owner', 'admin', 'member'],
  'conversations:write': ['owner', 'admin', 'member'],
  'messages:read': ['owner', 'admin', 'member', 'viewer'],
  'contacts:read': ['owner', 'admin', 'member', 'viewer'],
  'contacts:write': ['owner', 'admin', 'member'],
  'contacts:erase': ['owner', 'admin'],
  'analytics:read': ['owner', 'admin', 'member', 'viewer'],
  'reports:read': ['owner', 'admin', 'member', 'viewer'],
  'reports:write': ['owner', 'admin', 'member'],
  'webhooks:read': ['owner', 'admin', 'member', 'viewer'],
  'webhooks:write': ['owner', 'admin'],
  'requests:read': ['owner', 'admin', 'member'],
  'audit:read': ['owner', 'admin'],
  'persons:erase': ['owner', 'admin'],
  'test:read': ['owner', 'admin', 'member', 'viewer'],
  'test:write': ['owner', 'admin', 'member'],
};

describe('the permissions of the routes', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let routes: Route[];
  const sessions = new Map<Role, string>();
  const keys = new Map<Role, string>();
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
    routes = routesOf(fixture.service);
    for (const role of ROLES) {
      sessions.set(role, await fixture.login((await fixture.user(tenant.organizationId, role)).email));
      keys.set(role, await fixture.factory.key(tenant.organizationId, { role }));
    }
  });

  const call = ({ method, path }: Route, credentials: Credentials) =>
    fixture.call(
      method,
      fill(path, (name) => (name === 'id' ? tenant.workspace.id : newId())),
      { ...credentials, ...(hasBody({ method, path }) ? { body: {} } : {}) },
    );
  const name = ({ method, path }: Route) => `${method} ${path}`;
  /** Every member can leave, but this test removes other members, which requires `members:write`. */
  const asks = (route: Route, permission: Permission): Permission =>
    name(route) === 'DELETE /api/organization/members/:userId' ? 'members:write' : permission;

  it('require every route to declare its access', () => {
    expect(routes.length).toBeGreaterThan(40);
    expect(routes.filter(({ access }) => access === undefined).map(name)).toEqual([]);
  });

  it('are each used by a route and covered by the table', () => {
    const required = new Set(
      routes.flatMap(({ access }) => (typeof access === 'object' && 'permission' in access ? [access.permission] : [])),
    );
    expect([...required].sort()).toEqual(Object.keys(EXPECTED).sort());
  });

  it.each(ROLES)(
    'allow sessions and keys of the role %s according to the table, and otherwise return 403',
    async (role) => {
      const wrong: string[] = [];
      for (const route of routes) {
        const { access } = route;
        if (typeof access !== 'object' || !('permission' in access)) continue;
        for (const credentials of [{ cookie: sessions.get(role)! }, { key: keys.get(role)! }]) {
          const { status, error } = await call(route, credentials);
          const isRefused = status === 403;
          if (isRefused === EXPECTED[asks(route, access.permission)].includes(role))
            wrong.push(`${name(route)}: ${status} ${error?.message}`);
          if (isRefused && error.code !== 'FORBIDDEN') wrong.push(`${name(route)}: ${error.code}`);
        }
      }
      expect(wrong).toEqual([]);
    },
  );

  it('require a credential on every non-public route', async () => {
    const wrong: string[] = [];
    for (const route of routes.filter(({ access }) => access !== 'public')) {
      const { status, ok, error } = await call(route, {});
      const isRefused = ok === (route.path.startsWith('/api/v1/') ? undefined : false);
      if (status !== 401 || !isRefused || error.code !== 'UNAUTHENTICATED') wrong.push(`${name(route)}: ${status}`);
    }
    expect(wrong).toEqual([]);
  });

  it('reject an expired cookie, a scoped key and a key without an organization on every route', async () => {
    const scoped = await fixture.factory.key(tenant.organizationId, { scopes: ['sms:send'] });
    const stray = await fixture.factory.key(null);
    const wrong: string[] = [];
    for (const route of routes) {
      if (typeof route.access !== 'object') continue;
      const { kind } = route.access;
      const dead = await call(route, { cookie: 'session=dead' });
      const deadCode = kind === 'operator' ? 'UNAUTHENTICATED' : 'AUTH_SESSION_EXPIRED';
      if (dead.status !== 401 || dead.error.code !== deadCode) wrong.push(`${name(route)}: dead ${dead.status}`);
      for (const key of [scoped, stray]) {
        const { status } = await call(route, { key });
        if (status !== (kind === 'operator' || kind === 'session' ? 401 : 403))
          wrong.push(`${name(route)}: key ${status}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('allow operator routes only with the operator token, and the operator token only on these routes', async () => {
    const wrong: string[] = [];
    for (const route of routes) {
      if (typeof route.access !== 'object') continue;
      const isOperators = route.access.kind === 'operator';
      const { status } = await call(route, { operator: true });
      if (isOperators ? [401, 403].includes(status) : status !== 401) wrong.push(`${name(route)}: ${status}`);
      if (isOperators && (await call(route, { key: tenant.key })).status !== 401) wrong.push(`${name(route)}: key`);
    }
    expect(wrong).toEqual([]);
  });

  it('hide the operator routes (404) if no operator token is configured', async () => {
    const other = await fixture.beside({ PLATFORM_OPERATOR_TOKEN: '' });
    try {
      for (const route of routes.filter(({ access }) => typeof access === 'object' && access.kind === 'operator')) {
        const { status, error } = await other.call(
          route.method,
          fill(route.path, () => newId()),
          { operator: true },
        );
        expect([name(route), status, error.code]).toEqual([name(route), 404, 'NOT_FOUND']);
      }
    } finally {
      await other.service.stop();
    }
  });

  it('limit a key that is bound to a workspace to this workspace', async () => {
    const other = await fixture.factory.workspace(tenant.organizationId);
    const key = await fixture.factory.key(tenant.organizationId, { workspaceId: other.id });
    const list = await fixture.call<{ workspaces: { id: string }[] }>('GET', '/api/workspaces', { key });
    expect(list.data.workspaces.map(({ id }) => id)).toEqual([other.id]);
    expect((await fixture.call('GET', `/api/workspaces/${other.id}/credits`, { key })).status).toBe(200);
    expect((await fixture.call('GET', `/api/workspaces/${tenant.workspace.id}/credits`, { key })).status).toBe(404);
    const isClosed = ({ access }: Route) =>
      typeof access === 'object' && access.kind === 'organization' && !access.boundKeys;
    for (const route of routes.filter(isClosed)) {
      expect([name(route), (await call(route, { key })).status]).toEqual([name(route), 403]);
    }
  });
});

describe('writes in a locked workspace', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
    await fixture.factory.workspace(tenant.organizationId, { slug: tenant.workspace.slug, status: 'locked' });
  });

  it('are rejected with FORBIDDEN, except revocations; reads are possible', async () => {
    const wrong: string[] = [];
    for (const { method, path, access } of routesOf(fixture.service)) {
      if (typeof access !== 'object' || !('permission' in access)) continue;
      const { status } = await fixture.call(
        method,
        fill(path, (name) => (name === 'id' ? tenant.workspace.id : newId())),
        { key: tenant.key, ...(hasBody({ method, path }) ? { body: {} } : {}) },
      );
      const refused = method !== 'GET' && !access.evenWhenLocked;
      if ((status === 403) !== refused) wrong.push(`${method} ${path}: ${status}`);
    }
    expect(wrong).toEqual([]);
  });

  it('are possible again after the workspace was unlocked', async () => {
    await fixture.factory.workspace(tenant.organizationId, { slug: tenant.workspace.slug, status: 'active' });
    const body = { displayName: 'Paid' };
    expect(
      (await fixture.call('PATCH', `/api/workspaces/${tenant.workspace.id}`, { key: tenant.key, body })).status,
    ).toBe(200);
  });
});
