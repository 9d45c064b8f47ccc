import { newId } from '@heliograph/database';
import { tapEvents, unique, until, type EventTap } from '@heliograph/testing';
import type { OneWorkspace, WorkspaceList } from '../src/identity/workspaces/workspaces.dto';
import { AccountFixture, type Tenant } from './account-fixture';

const WORKSPACES = '/api/workspaces';

describe('workspaces', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let tap: EventTap;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tap = await tapEvents(fixture.service.amqpPrefix);
    tenant = await fixture.tenant();
  });
  afterAll(() => tap.close());

  const create = (body: unknown, key = tenant.key, headers: Record<string, string> = {}) =>
    fixture.call<OneWorkspace>('POST', WORKSPACES, { key, body, headers });
  const made = async (key = tenant.key) =>
    (await create({ slug: `ws-${unique()}`, displayName: 'A workspace' }, key)).data.workspace;
  const change = (id: string, body: unknown) =>
    fixture.call<OneWorkspace>('PATCH', `${WORKSPACES}/${id}`, { key: tenant.key, body });
  const event = (type: string, workspaceId: string) =>
    until(`${type} is on the bus`, () =>
      tap.events.find((one) => one.type === type && one.workspaceId === workspaceId),
    );

  it('are created with the plan free and the status active, and publish an event', async () => {
    const slug = `ws-${unique()}`;
    const requestId = `made-${unique()}`;
    const request = { slug, displayName: 'Acme Main' };
    const { status, data } = await create(request, tenant.key, { 'x-request-id': requestId });
    const { id, createdAt } = data.workspace;
    expect(status).toBe(201);
    expect(data).toEqual({ workspace: { id, ...request, plan: 'free', status: 'active', createdAt } });
    expect((await fixture.call<OneWorkspace>('GET', `${WORKSPACES}/${id}`, { key: tenant.key })).data).toEqual(data);
    expect(await event('workspace.created', id)).toMatchObject({
      organizationId: tenant.organizationId,
      correlationId: requestId,
      data: { workspaceId: id, ...request, plan: 'free', status: 'active' },
    });
  });

  it.each(['abc', 'a-b', 'a--b', '0ab', `${'a'.repeat(62)}z`, '123'])('can have the slug %j', async (slug) => {
    const { status, data } = await create({ slug, displayName: 'x' });
    expect([status, data.workspace.slug]).toEqual([201, slug]);
  });

  it.each([
    '',
    'a',
    'ab',
    '-ab',
    'ab-',
    'aB-c',
    'a_b',
    'a b',
    'ä-b',
    'a.b',
    'abc\n',
    ' abc',
    'a'.repeat(64),
    null,
    7,
    ['abc'],
    { slug: 'abc' },
    undefined,
  ])('cannot have the slug %j', async (slug) => {
    const { status, error } = await create({ slug, displayName: 'x' });
    expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(error.message).toMatch(/^slug: /);
    expect((await change(tenant.workspace.id, { slug: slug ?? null })).status).toBe(422);
  });

  it.each(['x', 'Zürich & 東京', '<b>', '😀'.repeat(100), 'O\'Neill \\ "x"'])(
    'can have the name %j',
    async (displayName) => {
      const { data } = await create({ slug: `ws-${unique()}`, displayName });
      expect(data.workspace.displayName).toBe(displayName);
    },
  );

  it.each(['', ' ', '\t', 'x'.repeat(201), 'two\nlines', 'a\0b', '\ud800', null, 7, [], undefined])(
    'cannot have the name %j',
    async (displayName) => {
      const { status, error } = await create({ slug: `ws-${unique()}`, displayName });
      expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
      expect(error.message).toMatch(/^displayName: /);
    },
  );

  it('are rejected with a message about every invalid field', async () => {
    expect((await create({})).error.message).toMatch(/slug: .*displayName: |displayName: .*slug: /);
  });

  it.each(['[]', '"x"', '7', 'null', 'true'])(
    'cannot be created from the JSON %s, which is not an object',
    async (body) => {
      expect(await create(body)).toMatchObject({ status: 422, error: { code: 'VALIDATION_ERROR' } });
    },
  );

  it.each(['{', 'slug=abc', '{"slug": "abc",}', ''])('cannot be created from %j, which is not JSON', async (body) => {
    expect(await create(body)).toMatchObject({ status: 400, error: { code: 'INVALID_REQUEST' } });
  });

  it('cannot be created from a body that is too large', async () => {
    const { status, error } = await create({ slug: `ws-${unique()}`, displayName: 'x', more: 'x'.repeat(1_000_001) });
    expect([status, error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('have slugs that are unique across organizations', async () => {
    const { slug } = await made();
    const other = await fixture.tenant();
    const taken = { status: 409, error: { code: 'SLUG_TAKEN' } };
    expect(await create({ slug, displayName: 'x' })).toMatchObject(taken);
    expect(await create({ slug, displayName: 'x' }, other.key)).toMatchObject(taken);
    expect(await change(tenant.workspace.id, { slug })).toMatchObject(taken);
  });

  it('get a unique slug for concurrent requests', async () => {
    const slug = `ws-${unique()}`;
    const tenants = [tenant, await fixture.tenant()];
    const wants = tenants.flatMap(({ key }) =>
      Array.from({ length: 5 }, () => create({ slug, displayName: 'x' }, key)),
    );
    const statuses = (await Promise.all(wants)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  });

  it('are updated only in the given fields, and publish an event', async () => {
    const workspace = await made();
    const renamed = await change(workspace.id, { displayName: 'New name' });
    expect(renamed.data).toEqual({ workspace: { ...workspace, displayName: 'New name' } });
    const slug = `ws-${unique()}`;
    const moved = await change(workspace.id, { slug });
    expect(moved.data).toEqual({ workspace: { ...workspace, displayName: 'New name', slug } });
    for (const field of [{ plan: 'pro' }, { status: 'canceled' }, { billingCustomer: 'cus_x' }]) {
      expect((await change(workspace.id, field)).status).toBe(422);
    }
    const { data } = await event('workspace.changed', workspace.id);
    expect(data).toMatchObject({ displayName: 'New name', previousPlan: 'free', previousStatus: 'active' });
    expect((await change(workspace.id, {})).data).toEqual(moved.data);
    for (const body of [{ displayName: null }, { slug: null }])
      expect((await change(workspace.id, body)).status).toBe(422);
  });

  it('return NOT_FOUND for a malformed id', async () => {
    for (const id of [newId(), 'x', `${newId()}x`, '%00']) {
      expect((await fixture.call('GET', `${WORKSPACES}/${id}`, { key: tenant.key })).status).toBe(404);
    }
  });

  it('are listed across organizations for a user, and for one organization for a key', async () => {
    const other = await fixture.tenant();
    const person = await fixture.user(tenant.organizationId, 'viewer');
    await fixture.factory.dataSource.transaction((transaction) =>
      fixture.members.put(transaction, other.organizationId, person.id, 'viewer'),
    );
    const list = async (credentials: object) =>
      (await fixture.call<WorkspaceList>('GET', `${WORKSPACES}?limit=100`, credentials)).data.workspaces;
    const ids = (await list({ cookie: await fixture.login(person.email) })).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([tenant.workspace.id, other.workspace.id]));
    expect((await list({ key: other.key })).map(({ id }) => id)).toEqual([other.workspace.id]);
  });
});
