import { newId } from '@heliograph/database';
import { AccountFixture, type Answer, type Credentials, type Tenant } from './account-fixture';

type Fields = Record<string, unknown>;

describe('/api/organization/members', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
  });
  beforeEach(async () => {
    tenant = await fixture.tenant();
  });

  const path = (id: string) => `/api/organization/members/${id}`;
  const give = (by: Credentials, id: string, role: unknown) =>
    fixture.call<{ member: Fields }>('PATCH', path(id), { ...by, body: { role } });
  const remove = (by: Credentials, id: string) => fixture.call('DELETE', path(id), by);
  const roleOf = async (id: string) =>
    (await fixture.call<{ member: Fields }>('GET', path(id), { key: tenant.key })).data.member['role'];
  const forbidden = { status: 403, ok: false, error: { code: 'FORBIDDEN' } };
  const lastOwner = { status: 409, ok: false, error: { code: 'LAST_OWNER' } };
  const notFound = { status: 404, ok: false, error: { code: 'NOT_FOUND' } };

  it('lists and returns members with exactly the documented fields', async () => {
    const viewer = await fixture.user(tenant.organizationId, 'viewer');
    await fixture.tenant();
    const { status, data } = await fixture.call<{ members: Fields[] }>('GET', '/api/organization/members', {
      key: tenant.key,
    });
    expect(status).toBe(200);
    expect(Object.keys(data)).toEqual(['members']);
    expect(data.members.map(({ userId }) => userId)).toEqual([tenant.owner.id, viewer.id]);
    const expected = {
      userId: viewer.id,
      email: viewer.email,
      name: 'The viewer',
      role: 'viewer',
      mfaEnabled: false,
      joinedAt: expect.stringMatching(/Z$/) as string,
    };
    expect(data.members[1]).toEqual(expected);
    const one = await fixture.call<{ member: Fields }>('GET', path(viewer.id), { key: tenant.key });
    expect(one.data).toEqual({ member: expected });
  });

  it('paginates members and rejects an invalid limit or cursor with 422', async () => {
    for (let i = 0; i < 4; i++) await fixture.user(tenant.organizationId, 'member');
    const page = (query: string) =>
      fixture.call<{ members: Fields[]; nextCursor?: string }>('GET', `/api/organization/members${query}`, {
        key: tenant.key,
      });
    const all = (await page('?limit=100')).data;
    expect([all.members.length, 'nextCursor' in all]).toEqual([5, false]);
    const found: unknown[] = [];
    let cursor: string | undefined;
    do {
      const { data }: Answer<{ members: Fields[]; nextCursor?: string }> = await page(
        `?limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`,
      );
      found.push(...data.members);
      cursor = data.nextCursor;
    } while (cursor !== undefined);
    expect(found).toEqual(all.members);
    expect((await page('?limit=1')).data.members).toHaveLength(1);
    const id = Buffer.from('x').toString('base64url');
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=abc',
      'limit=-1',
      'limit=1.5',
      'limit=',
      'cursor=',
      `cursor=${id}`,
      'cursor=%00',
      `cursor=${tenant.owner.id}`,
    ]) {
      const answer = await page(`?${query}`);
      expect(answer).toMatchObject({ status: 422, ok: false, error: { code: 'VALIDATION_ERROR' } });
      expect(answer.error.message).toMatch(new RegExp(`^${query.split('=')[0]}: `));
    }
    expect(await page('?limit=1&limit=2')).toMatchObject({ status: 400, error: { code: 'INVALID_REQUEST' } });
  });

  it('does not find members of another organization with any method', async () => {
    const another = await fixture.tenant();
    for (const id of [another.owner.id, newId(), 'x', '%00', "1'--"]) {
      expect(await fixture.call('GET', path(id), { key: tenant.key })).toMatchObject(notFound);
      expect(await give({ key: tenant.key }, id, 'viewer')).toMatchObject(notFound);
      expect(await remove({ key: tenant.key }, id)).toMatchObject(notFound);
    }
    const still = await fixture.call<{ member: Fields }>('GET', path(another.owner.id), { key: another.key });
    expect(still.data.member['role']).toBe('owner');
  });

  it('changes the role of a member with immediate effect and an audit entry', async () => {
    const guest = await fixture.user(tenant.organizationId, 'viewer');
    const cookie = await fixture.login(guest.email);
    const workspaceWrite = () => fixture.call('PATCH', '/api/organization', { cookie, body: {} });
    expect(await workspaceWrite()).toMatchObject(forbidden);
    const answer = await give({ key: tenant.key }, guest.id, 'admin');
    expect(answer).toMatchObject({ status: 200, data: { member: { userId: guest.id, role: 'admin' } } });
    expect((await workspaceWrite()).status).toBe(200);
    const [entry] = await fixture.database.query(
      `SELECT actor_kind, before, after, target_id FROM audit.entries WHERE organization_id = $1 AND action = 'member.changed'`,
      [tenant.organizationId],
    );
    expect(entry).toEqual({
      actor_kind: 'key',
      before: { role: 'viewer' },
      after: { role: 'admin' },
      target_id: guest.id,
    });
  });

  it.each([['god'], [1], [null], [undefined], [['owner']]])('rejects the role %j with 422', async (role) => {
    const answer = await give({ key: tenant.key }, tenant.owner.id, role);
    expect(answer).toMatchObject({ status: 422, error: { code: 'VALIDATION_ERROR' } });
    expect(answer.error.message).toMatch(/^role: /);
  });

  it('allows only owners to add, change and remove owners', async () => {
    const { organizationId, owner } = tenant;
    const admin = await fixture.user(organizationId, 'admin');
    const guest = await fixture.user(organizationId, 'member');
    await fixture.user(organizationId, 'owner');
    const adminKey = await fixture.factory.key(organizationId, { role: 'admin' });
    for (const by of [{ cookie: await fixture.login(admin.email) }, { key: adminKey }]) {
      expect(await give(by, guest.id, 'owner')).toMatchObject(forbidden);
      expect(await give(by, admin.id, 'owner')).toMatchObject(forbidden);
      expect(await give(by, owner.id, 'member')).toMatchObject(forbidden);
      expect(await remove(by, owner.id)).toMatchObject(forbidden);
    }
    expect([await roleOf(owner.id), await roleOf(guest.id), await roleOf(admin.id)]).toEqual([
      'owner',
      'member',
      'admin',
    ]);
    expect((await give({ cookie: await fixture.login(admin.email) }, guest.id, 'admin')).status).toBe(200);
    expect((await give({ cookie: await fixture.login(owner.email) }, guest.id, 'owner')).status).toBe(200);
  });

  it('rejects the removal of the last owner with 409 LAST_OWNER', async () => {
    const by = { cookie: await fixture.login(tenant.owner.email) };
    expect(await give(by, tenant.owner.id, 'admin')).toMatchObject(lastOwner);
    expect(await remove(by, tenant.owner.id)).toMatchObject(lastOwner);
    expect((await give(by, tenant.owner.id, 'owner')).status).toBe(200);
    expect(await roleOf(tenant.owner.id)).toBe('owner');
  });

  it('keeps one owner when two owners remove each other concurrently', async () => {
    const second = await fixture.user(tenant.organizationId, 'owner');
    const cookies = [await fixture.login(tenant.owner.email), await fixture.login(second.email)];
    const answers = await Promise.all([
      remove({ cookie: cookies[0]! }, second.id),
      remove({ cookie: cookies[1]! }, tenant.owner.id),
    ]);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    const owners = await fixture.database.query('SELECT 1 FROM users.members WHERE organization_id = $1', [
      tenant.organizationId,
    ]);
    expect(owners).toHaveLength(1);
  });

  it.each(['admin', 'member', 'viewer'] as const)(
    'allows a member with the role %s to leave, which ends the access of the session',
    async (role) => {
      const guest = await fixture.user(tenant.organizationId, role);
      const cookie = await fixture.login(guest.email);
      expect((await remove({ cookie }, guest.id)).status).toBe(204);
      expect(await fixture.call('GET', '/api/organization', { cookie })).toMatchObject(forbidden);
      expect((await fixture.call('GET', '/api/auth/session', { cookie })).data['workspace']).toBeNull();
      const entries = await fixture.database.query(
        'SELECT action, actor_id, after FROM audit.entries WHERE organization_id = $1',
        [tenant.organizationId],
      );
      expect(entries).toEqual([{ action: 'member.left', actor_id: guest.id, after: null }]);
    },
  );

  it('does not allow members and viewers to remove others', async () => {
    const guest = await fixture.user(tenant.organizationId, 'viewer');
    for (const role of ['member', 'viewer'] as const) {
      const { email } = await fixture.user(tenant.organizationId, role);
      expect(await remove({ cookie: await fixture.login(email) }, guest.id)).toMatchObject(forbidden);
      const key = await fixture.factory.key(tenant.organizationId, { role });
      expect(await remove({ key }, guest.id)).toMatchObject(forbidden);
    }
    expect(await roleOf(guest.id)).toBe('viewer');
  });

  it('keeps the memberships of a removed member in other organizations', async () => {
    const another = await fixture.tenant();
    const both = await fixture.user(another.organizationId, 'member');
    await fixture.factory.dataSource.transaction((transaction) =>
      fixture.members.put(transaction, tenant.organizationId, both.id, 'viewer'),
    );
    expect((await remove({ key: tenant.key }, both.id)).status).toBe(204);
    expect(await fixture.call('GET', path(both.id), { key: tenant.key })).toMatchObject(notFound);
    expect((await fixture.call('GET', path(both.id), { key: another.key })).status).toBe(200);
    expect((await fixture.login(both.email)).length).toBeGreaterThan(0);
  });
});
