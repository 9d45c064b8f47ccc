import { AccountFixture, cookieOf, type Tenant } from './account-fixture';

describe('a session', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
  });

  const session = (cookie?: string) => fixture.call('GET', '/api/auth/session', cookie === undefined ? {} : { cookie });
  const refused = (code: string) => ({ status: 401, ok: false, error: { code } });

  it('contains the user, the expiry and the workspace', async () => {
    const cookie = await fixture.login(tenant.owner.email);
    const answer = await session(cookie);
    expect(Object.keys(answer.data)).toEqual(['user', 'session', 'workspace']);
    expect(answer).toMatchObject({ status: 200, ok: true });
    expect(answer.data).toEqual({
      user: { id: tenant.owner.id, email: tenant.owner.email, name: 'The owner' },
      session: { id: expect.any(String) as string, userId: tenant.owner.id, expiresAt: expect.any(String) as string },
      workspace: { id: tenant.workspace.id, slug: tenant.workspace.slug, plan: 'pro' },
    });
  });

  it('has no workspace for a user without an organization', async () => {
    const { email } = await fixture.user(null, 'viewer');
    expect((await session(await fixture.login(email))).data['workspace']).toBeNull();
  });

  it('returns UNAUTHENTICATED without a cookie and AUTH_SESSION_EXPIRED for an invalid cookie', async () => {
    expect(await session()).toMatchObject(refused('UNAUTHENTICATED'));
    for (const value of ['x', 'x'.repeat(43), 'x'.repeat(5_000), '%00', '"']) {
      expect(await session(`session=${value}`)).toMatchObject(refused('AUTH_SESSION_EXPIRED'));
    }
    const logout = (headers: Record<string, string>) => fixture.call('POST', '/api/auth/logout', { headers });
    expect(await logout({})).toMatchObject(refused('UNAUTHENTICATED'));
    expect(await logout({ cookie: 'session=x' })).toMatchObject(refused('AUTH_SESSION_EXPIRED'));
  });

  it('expires', async () => {
    const cookie = await fixture.login(tenant.owner.email);
    const { data } = await session(cookie);
    const { id } = data['session'] as { id: string };
    await fixture.database.query(`UPDATE users.sessions SET expires_at = now() - interval '1 second' WHERE id = $1`, [
      id,
    ]);
    expect(await session(cookie)).toMatchObject(refused('AUTH_SESSION_EXPIRED'));
    expect(await fixture.call('GET', '/api/workspaces', { cookie })).toMatchObject(refused('AUTH_SESSION_EXPIRED'));
  });

  it('ends with a logout, which clears the cookie, and cannot end twice', async () => {
    const cookie = await fixture.login(tenant.owner.email);
    const answer = await fixture.call('POST', '/api/auth/logout', { cookie });
    expect(answer.status).toBe(204);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^session=; Max-Age=0; Path=\/; /);
    expect(await session(cookie)).toMatchObject(refused('AUTH_SESSION_EXPIRED'));
    expect(await fixture.call('POST', '/api/auth/logout', { cookie })).toMatchObject(refused('AUTH_SESSION_EXPIRED'));
  });

  it('is rejected if two cookies of its name differ', async () => {
    const cookie = await fixture.login(tenant.owner.email);
    expect((await session(`${cookie}; session=${'x'.repeat(43)}`)).status).toBe(401);
    expect((await session(`theme=dark; ${cookie}; a=b`)).status).toBe(200);
  });

  it('is listed with the other sessions of the user and can be ended from them', async () => {
    const { owner } = await fixture.tenant();
    const one = await fixture.login(owner.email);
    const other = await fixture.login(owner.email);
    const list = async () =>
      (
        await fixture.call<{ sessions: { id: string; current: boolean }[] }>('GET', '/api/auth/sessions', {
          cookie: one,
        })
      ).data.sessions;
    const [newest, oldest] = await list();
    expect([newest?.current, oldest?.current]).toEqual([false, true]);
    const end = (cookie: string, id: string) => fixture.call('DELETE', `/api/auth/sessions/${id}`, { cookie });
    const stranger = await fixture.login(tenant.owner.email);
    expect(await end(stranger, newest!.id)).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
    expect((await end(one, newest!.id)).status).toBe(204);
    expect((await end(one, newest!.id)).status).toBe(404);
    expect((await end(one, 'x')).status).toBe(404);
    expect(await session(other)).toMatchObject(refused('AUTH_SESSION_EXPIRED'));
    expect(await list()).toHaveLength(1);
  });

  it('uses the organization joined first until it is switched, and cannot be switched to a foreign one', async () => {
    const first = await fixture.tenant();
    const second = await fixture.tenant();
    const foreign = await fixture.tenant();
    const both = await fixture.user(first.organizationId, 'viewer');
    await fixture.factory.dataSource.transaction((transaction) =>
      fixture.members.put(transaction, second.organizationId, both.id, 'admin'),
    );
    const cookie = await fixture.login(both.email);
    const current = async () =>
      (await fixture.call<{ organization: { id: string } }>('GET', '/api/organization', { cookie })).data.organization
        .id;
    const to = (workspaceId: unknown) => fixture.call('PATCH', '/api/auth/session', { cookie, body: { workspaceId } });
    expect(await current()).toBe(first.organizationId);
    expect((await to(second.workspace.id)).data['workspace']).toMatchObject({ id: second.workspace.id });
    expect(await current()).toBe(second.organizationId);
    expect((await session(cookie)).data['workspace']).toMatchObject({ id: second.workspace.id });
    expect(await to(foreign.workspace.id)).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
    expect((await to('x')).status).toBe(404);
    expect((await to(1)).status).toBe(422);
    const { data } = await fixture.call<{ workspaces: { id: string }[] }>('GET', '/api/workspaces', { cookie });
    expect(data.workspaces.map(({ id }) => id).sort()).toEqual([first.workspace.id, second.workspace.id].sort());
    // After the removal, the session uses the remaining organization of the user.
    const removed = await fixture.call('DELETE', `/api/organization/members/${both.id}`, { key: second.key });
    expect(removed.status).toBe(204);
    expect(await current()).toBe(first.organizationId);
  });

  it('cannot be used with a key', async () => {
    expect(await fixture.call('GET', '/api/auth/session', { key: tenant.key })).toMatchObject(
      refused('UNAUTHENTICATED'),
    );
  });

  it('returns a generated request id, or the request id of the caller if it is valid', async () => {
    const ids = async (id?: string) =>
      (
        await fixture.call('GET', '/api/auth/session', { headers: id === undefined ? {} : { 'x-request-id': id } })
      ).headers.get('x-request-id');
    expect(await ids()).toMatch(/^[0-9a-f-]{36}$/);
    expect(await ids('mine-1')).toBe('mine-1');
    expect(await ids('a b')).not.toBe('a b');
  });

  it('returns 404 for an unknown path and 405 with Allow for a wrong method, in the envelope', async () => {
    const cookie = await fixture.login(tenant.owner.email);
    const unknown = await fixture.call('GET', '/api/auth/nothing', { cookie });
    expect(unknown).toMatchObject({ status: 404, ok: false, error: { code: 'NOT_FOUND' } });
    const wrong = await fixture.call('PUT', '/api/auth/login', { body: {} });
    expect(wrong).toMatchObject({ status: 405, ok: false, error: { code: 'METHOD_NOT_ALLOWED' } });
    expect(wrong.headers.get('allow')).toBe('POST');
    const several = await fixture.call('POST', '/api/auth/session', { body: {} });
    expect([several.status, several.headers.get('allow')]).toEqual([405, 'GET, PATCH']);
  });

  it('uses the envelope, and is identified by the cookie of a login', async () => {
    const answer = await fixture.call('POST', '/api/auth/login', {
      body: { email: tenant.owner.email, password: 'wrong password' },
    });
    expect(() => cookieOf(answer, 'session')).toThrow();
    expect(Object.keys(answer.error)).toEqual(['code', 'message']);
  });
});
