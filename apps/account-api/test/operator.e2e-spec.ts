import { newId } from '@heliograph/database';
import { startTestService, unique } from '@heliograph/testing';
import { accountApi } from '../src/account-api.service';
import type { NewKey } from '../src/developer/api-keys/api-keys.dto';
import type { OneAddedUser, OneOperatorWorkspace, OneOrganizationAnswer, Rates } from '../src/operator/operator.dto';
import { AccountFixture, OPERATOR_TOKEN, PASSWORD, type Answer, type Tenant } from './account-fixture';

const ORGANIZATIONS = '/api/platform/organizations';

describe('the platform operator', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
  });

  const send = <T>(method: string, path: string, body?: unknown): Promise<Answer<T>> =>
    fixture.call<T>(method, path, { operator: true, body });
  const addUser = (organizationId: string, body: object) =>
    send<OneAddedUser>('POST', `${ORGANIZATIONS}/${organizationId}/users`, { role: 'owner', ...body });
  const addWorkspace = (body: object, organizationId = tenant.organizationId) =>
    send<OneOperatorWorkspace>('POST', `${ORGANIZATIONS}/${organizationId}/workspaces`, {
      slug: `ws-${unique()}`,
      displayName: 'A workspace',
      ...body,
    });
  const setWorkspace = (id: string, body: object) =>
    send<OneOperatorWorkspace>('PATCH', `/api/platform/workspaces/${id}`, body);
  const createKey = (body: object) => send<NewKey>('POST', '/api/platform/api-keys', { name: unique(), ...body });
  const use = async (key: string) => (await fixture.call('GET', '/api/organization', { key })).status;

  it('creates an organization with an owner, with audit entries', async () => {
    const slug = `org-${unique()}`;
    const made = await send<OneOrganizationAnswer>('POST', ORGANIZATIONS, {
      slug,
      name: 'Acme',
    });
    const { id, createdAt } = made.data.organization;
    expect(made.status).toBe(201);
    expect(made.data).toEqual({ organization: { id, slug, name: 'Acme', ipAllowlist: [], createdAt } });
    expect((await send('GET', `${ORGANIZATIONS}/${id}`)).data).toEqual(made.data);
    const email = `ann-${unique()}@example.com`;
    const added = await addUser(id, { email: ` ${email.toUpperCase()} `, name: 'Ann', password: PASSWORD });
    expect(added.data.member).toEqual({ userId: added.data.member.userId, email, name: 'Ann', role: 'owner' });
    await addWorkspace({}, id);
    const cookie = await fixture.login(email);
    const { data } = await fixture.call<{ entries: { action: string; actor: object }[] }>(
      'GET',
      '/api/organization/audit-log',
      { cookie },
    );
    const operator = { kind: 'operator', id: null, name: 'platform operator' };
    expect(data.entries.map(({ action, actor }) => ({ action, actor }))).toEqual(
      ['workspace.created', 'member.added', 'organization.created'].map((action) => ({ action, actor: operator })),
    );
    expect(JSON.stringify(data)).not.toContain(PASSWORD);
  });

  it('cannot create an organization with a taken or invalid slug', async () => {
    const { slug } = await fixture.factory.organization();
    const create = (body: object) => send('POST', ORGANIZATIONS, { slug: `org-${unique()}`, name: 'x', ...body });
    expect(await create({ slug })).toMatchObject({ status: 409, error: { code: 'SLUG_TAKEN' } });
    for (const body of [{ slug: 'A' }, { slug: null }, { name: '' }, { name: 'a\nb' }]) {
      expect(await create(body)).toMatchObject({ status: 422, error: { code: 'VALIDATION_ERROR' } });
    }
  });

  it('adds an existing user without changing the name and password', async () => {
    const { email, name, id } = tenant.owner;
    const other = await fixture.tenant();
    const added = await addUser(other.organizationId, { email, role: 'viewer' });
    expect([added.status, added.data.member]).toEqual([201, { userId: id, email, name, role: 'viewer' }]);
    const third = await fixture.tenant();
    expect(
      (await addUser(third.organizationId, { email, name: 'Mallory', password: 'another password of mine' })).data
        .member.name,
    ).toBe(name);
    await expect(fixture.login(email)).resolves.toEqual(expect.any(String));
    await expect(fixture.login(email, 'another password of mine')).rejects.toThrow();
    const again = await addUser(other.organizationId, { email, role: 'owner' });
    expect(again).toMatchObject({ status: 409, error: { code: 'ALREADY_MEMBER' } });
    const { role } = await fixture.members.memberOf(other.organizationId, id);
    expect(role).toBe('viewer');
  });

  it.each([
    ['email', { email: 'nobody' }],
    ['email', { email: '' }],
    ['email', { email: 'a@b.example\r\nBcc: x@y.example' }],
    ['name', { name: undefined }],
    ['password', { password: undefined }],
    ['password', { password: 'short' }],
    ['role', { role: 'king' }],
    ['role', { role: undefined }],
  ])('cannot add a new user with an invalid %s: %j', async (field, body) => {
    const email = `new-${unique()}@example.com`;
    const { status, error } = await addUser(tenant.organizationId, { email, name: 'New', password: PASSWORD, ...body });
    expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(error.message.toLowerCase()).toContain(field);
    expect(await fixture.users.byEmail(email)).toBeNull();
  });

  it('creates workspaces of any plan and status, each with its own billing customer', async () => {
    const billingCustomer = `cus_${unique()}`;
    const request = { slug: `ws-${unique()}`, displayName: 'Main', plan: 'pro', status: 'past_due', billingCustomer };
    const { status, data } = await addWorkspace(request);
    const { id, createdAt } = data.workspace;
    expect(status).toBe(201);
    expect(data.workspace).toEqual({ id, ...request, createdAt, organizationId: tenant.organizationId });
    const plain = (await addWorkspace({})).data.workspace;
    expect(plain).toMatchObject({ plan: 'free', status: 'active', billingCustomer: null });
    const taken = { status: 409, error: { code: 'NAME_TAKEN' } };
    expect(await addWorkspace({ billingCustomer })).toMatchObject(taken);
    expect(await setWorkspace(plain.id, { billingCustomer })).toMatchObject(taken);
    expect(await addWorkspace({ slug: request.slug })).toMatchObject({ status: 409, error: { code: 'SLUG_TAKEN' } });
    expect(await addWorkspace({ status: 'gone' })).toMatchObject({ status: 422 });
  });

  it('updates only the given fields of a workspace: plan, status, billing customer', async () => {
    const { workspace } = (await addWorkspace({})).data;
    const billingCustomer = `cus_${unique()}`;
    const changed = await setWorkspace(workspace.id, { plan: 'scale', status: 'locked', billingCustomer });
    expect(changed.data.workspace).toEqual({ ...workspace, plan: 'scale', status: 'locked', billingCustomer });
    expect((await setWorkspace(workspace.id, { billingCustomer: null, status: 'active' })).data.workspace).toEqual({
      ...workspace,
      plan: 'scale',
    });
    expect((await send('GET', `/api/platform/workspaces/${workspace.id}`)).data).toEqual({
      workspace: { ...workspace, plan: 'scale' },
    });
    for (const body of [{ plan: '' }, { status: null }, { slug: 'X' }]) {
      expect((await setWorkspace(workspace.id, body)).status).toBe(422);
    }
  });

  it('creates a key of an organization, and an unbound key without access', async () => {
    const own = (await createKey({ organizationId: tenant.organizationId })).data;
    expect(own.apiKey).toMatchObject({ role: 'owner', scopes: [], workspaceId: null });
    expect(await use(own.key)).toBe(200);
    const nobodys = await createKey({});
    expect([nobodys.status, await use(nobodys.data.key)]).toEqual([201, 403]);
    expect(await createKey({ workspaceId: tenant.workspace.id })).toMatchObject({ status: 422 });
    const foreign = { organizationId: (await fixture.tenant()).organizationId, workspaceId: tenant.workspace.id };
    expect(await createKey(foreign)).toMatchObject({ status: 422 });
  });

  it('sets the rate of a country', async () => {
    expect((await send('PUT', '/api/platform/sms/rates/GB', { rate: 4 })).data).toEqual({
      rate: { country: 'GB', rate: 4 },
    });
    await send('PUT', '/api/platform/sms/rates/DE', { rate: 0 });
    await send('PUT', '/api/platform/sms/rates/GB', { rate: 5 });
    const { data } = await send<Rates>('GET', '/api/platform/sms/rates');
    expect(data.rates).toEqual([
      { country: 'DE', rate: 0 },
      { country: 'GB', rate: 5 },
    ]);
    for (const country of ['gb', 'XX', 'United%20Kingdom', '1']) {
      expect(await send('PUT', `/api/platform/sms/rates/${country}`, { rate: 2 })).toMatchObject({ status: 422 });
    }
    for (const rate of [-1, 1.5, '2', null, 1_000_001]) {
      expect(await send('PUT', '/api/platform/sms/rates/FR', { rate })).toMatchObject({ status: 422 });
    }
  });

  it('returns NOT_FOUND for unknown ids', async () => {
    for (const id of [newId(), 'x', '%00']) {
      for (const [method, path] of [
        ['GET', `${ORGANIZATIONS}/${id}`],
        ['GET', `${ORGANIZATIONS}/${id}/workspaces`],
        ['GET', `/api/platform/workspaces/${id}`],
        ['PATCH', `/api/platform/workspaces/${id}`],
      ] as const) {
        const answer = await send(method, path, method === 'PATCH' ? {} : undefined);
        expect([path, answer.status, answer.error?.code]).toEqual([path, 404, 'NOT_FOUND']);
      }
      expect((await addUser(id, { email: tenant.owner.email })).status).toBe(404);
      expect((await addWorkspace({}, id)).status).toBe(404);
      expect((await createKey({ organizationId: id })).status).toBe(404);
    }
  });

  it('authenticates with either of two tokens during a rotation, and never with the query string', async () => {
    const next = 'next-operator-token-of-the-tests-0123456789';
    const rotating = await startTestService(accountApi, fixture.database.url, {
      PLATFORM_OPERATOR_TOKEN: `${OPERATOR_TOKEN}, ${next}`,
    });
    const status = async (authorization: string, query = '') =>
      (await fetch(`${rotating.url}${ORGANIZATIONS}${query}`, { headers: { authorization } })).status;
    try {
      expect([await status(`Bearer ${OPERATOR_TOKEN}`), await status(`Bearer ${next}`)]).toEqual([200, 200]);
      const wrong = [`${next}x`, next.slice(0, -1), next.toUpperCase(), `${OPERATOR_TOKEN},${next}`, 'undefined'];
      for (const token of wrong) expect([token, await status(`Bearer ${token}`)]).toEqual([token, 401]);
      for (const header of ['', next, `Basic ${next}`, `Bearer  `])
        expect([header, await status(header)]).toEqual([header, 401]);
      for (const name of ['token', 'operator', 'access_token', 'authorization', 'key']) {
        expect([name, await status('', `?${name}=${next}`)]).toEqual([name, 401]);
      }
    } finally {
      await rotating.stop();
    }
  });

  it('requires a token of at least 32 characters to start the service', async () => {
    for (const token of [
      'short',
      `${OPERATOR_TOKEN},short`,
      `${OPERATOR_TOKEN},${OPERATOR_TOKEN}1,${OPERATOR_TOKEN}2`,
    ]) {
      await expect(
        startTestService(accountApi, fixture.database.url, { PLATFORM_OPERATOR_TOKEN: token }),
      ).rejects.toThrow('PLATFORM_OPERATOR_TOKEN');
    }
  });
});
