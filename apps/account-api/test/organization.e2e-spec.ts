import { AccountFixture, type Credentials, type Tenant } from './account-fixture';

describe('/api/organization', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
  });

  const look = (by: Credentials) =>
    fixture.call<{ organization: Record<string, unknown> }>('GET', '/api/organization', by);
  const change = (by: Credentials, body: unknown, headers: Record<string, string> = {}) =>
    fixture.call<{ organization: Record<string, unknown> }>('PATCH', '/api/organization', { ...by, body, headers });

  it('returns exactly the documented fields', async () => {
    const { status, data } = await look({ key: tenant.key });
    expect(status).toBe(200);
    expect(Object.keys(data.organization)).toEqual(['id', 'slug', 'name', 'createdAt']);
    expect(data.organization).toMatchObject({ id: tenant.organizationId });
    expect(data.organization['createdAt']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it('renames the organization, with an audit entry of the actor, the origin and the previous name', async () => {
    const cookie = await fixture.login(tenant.owner.email);
    const before = (await look({ cookie })).data.organization;
    const changed = await change({ cookie }, { name: 'Acme & Söhne' }, { 'user-agent': 'test', 'x-request-id': 'r-1' });
    expect(changed.data.organization).toEqual({ ...before, name: 'Acme & Söhne' });
    expect((await look({ cookie })).data).toEqual(changed.data);
    const [entry] = await fixture.database.query(
      `SELECT actor_id, actor_name, before, after, ip_address, user_agent, request_id FROM audit.entries
       WHERE organization_id = $1 AND action = 'organization.changed'`,
      [tenant.organizationId],
    );
    expect(entry).toEqual({
      actor_id: tenant.owner.id,
      actor_name: tenant.owner.email,
      before: { name: before['name'] },
      after: { name: 'Acme & Söhne' },
      ip_address: '127.0.0.1',
      user_agent: 'test',
      request_id: 'r-1',
    });
  });

  it('updates only the name and refuses other fields', async () => {
    const another = await fixture.tenant();
    const before = (await look(another)).data.organization;
    const others = { id: tenant.organizationId, slug: 'stolen-slug', ipAllowlist: ['203.0.113.1'], role: 'owner' };
    for (const [field, value] of Object.entries(others)) {
      const refused = await change(another, { name: 'Refused', [field]: value });
      expect(refused).toMatchObject({ status: 422, error: { code: 'VALIDATION_ERROR' } });
      expect(refused.error.message).toContain(`${field} is not a field of this call.`);
    }
    const answer = await change(another, { name: 'New' });
    expect(answer.data.organization).toEqual({ ...before, name: 'New' });
    expect((await look(another)).data.organization).toEqual({ ...before, name: 'New' });
    expect((await look({ key: tenant.key })).status).toBe(200);
  });

  it('changes nothing for an empty update', async () => {
    const before = (await look({ key: tenant.key })).data;
    expect((await change({ key: tenant.key }, {})).data).toEqual(before);
  });

  it.each([[''], ['  '], ['x'.repeat(201)], ['line\nbreak'], [1], [null], [['x']], [{}]])(
    'rejects the name %j with 422',
    async (name) => {
      const answer = await change({ key: tenant.key }, { name });
      expect(answer).toMatchObject({ status: 422, ok: false, error: { code: 'VALIDATION_ERROR' } });
      expect(answer.error.message).toMatch(/^name: /);
    },
  );

  it('and /api/auth/user return and update the name of the user', async () => {
    const cookie = await fixture.login(tenant.owner.email);
    const rename = (body: unknown) => fixture.call('PATCH', '/api/auth/user', { cookie, body });
    const answer = await rename({ name: 'Ann' });
    expect(answer.data).toEqual({ user: { id: tenant.owner.id, email: tenant.owner.email, name: 'Ann' } });
    const session = await fixture.call('GET', '/api/auth/session', { cookie });
    expect(session.data['user']).toEqual(answer.data['user']);
    for (const name of ['', 'a\u0007', 1, null]) expect((await rename({ name })).status).toBe(422);
    expect((await rename({ name: 'Eve', email: 'other@example.com' })).status).toBe(422);
    const entries = await fixture.database.query(
      `SELECT before, after FROM audit.entries WHERE organization_id = $1 AND action = 'user.renamed'`,
      [tenant.organizationId],
    );
    expect(entries).toEqual([{ before: { name: 'The owner' }, after: { name: 'Ann' } }]);
  });
});
