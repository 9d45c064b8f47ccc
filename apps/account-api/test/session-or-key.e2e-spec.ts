import { until } from '@heliograph/testing';
import { AccountFixture, type Tenant } from './account-fixture';

describe('a request to the account API', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let cookie: string;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
    cookie = await fixture.login(tenant.owner.email);
  });

  const list = (headers: Record<string, string> = {}, query = '') =>
    fixture.call<{ workspaces: { id: string }[] }>('GET', `/api/workspaces${query}`, { headers });
  const unauthenticated = { status: 401, ok: false, error: { code: 'UNAUTHENTICATED' } };
  const forbidden = { status: 403, ok: false, error: { code: 'FORBIDDEN' } };

  it('accepts a session cookie, a Bearer key or an X-API-Key', async () => {
    const each: Record<string, string>[] = [
      { cookie },
      { authorization: `Bearer ${tenant.key}` },
      { 'x-api-key': tenant.key },
    ];
    for (const headers of each) {
      const { status, data } = await list(headers);
      expect(status).toBe(200);
      expect(data.workspaces.map(({ id }) => id)).toEqual([tenant.workspace.id]);
    }
  });

  it('gets UNAUTHENTICATED without a credential and with an unknown, expired or revoked key', async () => {
    expect(await list()).toMatchObject(unauthenticated);
    const { organizationId } = tenant;
    const keys = [
      `msg_live_${'x'.repeat(40)}`,
      await fixture.factory.key(organizationId, { expiresAt: new Date(Date.now() - 1_000) }),
      await fixture.factory.key(organizationId, { revoked: true }),
    ];
    for (const key of keys) expect(await list({ authorization: `Bearer ${key}` })).toMatchObject(unauthenticated);
    expect(await list({ authorization: 'Basic eDp5' })).toMatchObject(unauthenticated);
    expect(await list({ authorization: '' })).toMatchObject(unauthenticated);
  });

  it('uses the key if there is also a cookie, and is rejected if the key is invalid', async () => {
    const another = await fixture.tenant();
    const { data } = await list({ cookie, authorization: `Bearer ${another.key}` });
    expect(data.workspaces.map(({ id }) => id)).toEqual([another.workspace.id]);
    expect(await list({ cookie, authorization: 'Bearer nobody' })).toMatchObject(unauthenticated);
  });

  it('is rejected if the two key headers differ', async () => {
    const another = await fixture.factory.key(tenant.organizationId);
    const both = (one: string, other: string) => list({ authorization: `Bearer ${one}`, 'x-api-key': other });
    expect(await both(tenant.key, another)).toMatchObject(unauthenticated);
    expect((await both(tenant.key, tenant.key)).status).toBe(200);
  });

  it('does not read a key from the query string', async () => {
    for (const name of ['key', 'api_key', 'apiKey', 'access_token', 'x-api-key', 'authorization']) {
      expect(await list({}, `?${name}=${tenant.key}`)).toMatchObject(unauthenticated);
    }
  });

  it('gets FORBIDDEN for a key with scopes and for a key without an organization', async () => {
    const scoped = await fixture.factory.key(tenant.organizationId, { scopes: ['sms:send', 'sms:read'] });
    const nobodys = await fixture.factory.key(null);
    for (const key of [scoped, nobodys]) {
      expect(await list({ authorization: `Bearer ${key}` })).toMatchObject(forbidden);
      expect(await fixture.call('GET', '/api/organization', { key })).toMatchObject(forbidden);
    }
  });

  it('gets FORBIDDEN on organization routes for a key that is bound to a workspace', async () => {
    const key = await fixture.factory.key(tenant.organizationId, { workspaceId: tenant.workspace.id });
    expect(await fixture.call('GET', '/api/organization', { key })).toMatchObject(forbidden);
    expect((await list({ authorization: `Bearer ${key}` })).status).toBe(200);
  });

  it('gets FORBIDDEN on organization routes for a user without an organization', async () => {
    const { email } = await fixture.user(null, 'viewer');
    const lonely = await fixture.login(email);
    expect(await fixture.call('GET', '/api/organization', { cookie: lonely })).toMatchObject(forbidden);
    expect((await list({ cookie: lonely })).data.workspaces).toEqual([]);
  });

  it('gets IP_NOT_ALLOWED for a key from another address before its scopes are checked, but not for a session', async () => {
    const { id } = await fixture.factory.organization({ ipAllowlist: ['203.0.113.0/24'] });
    const keys = [await fixture.factory.key(id), await fixture.factory.key(id, { scopes: ['sms:read'] })];
    for (const key of keys) {
      const answer = await list({ authorization: `Bearer ${key}` });
      expect(answer).toMatchObject({ status: 403, ok: false, error: { code: 'IP_NOT_ALLOWED' } });
    }
    const { email } = await fixture.user(id, 'owner');
    expect((await list({ cookie: await fixture.login(email) })).status).toBe(200);
  });

  it('ignores X-Forwarded-For unless a proxy is trusted', async () => {
    const { id } = await fixture.factory.organization({ ipAllowlist: ['203.0.113.0/24'] });
    const key = await fixture.factory.key(id);
    const answer = await list({ authorization: `Bearer ${key}`, 'x-forwarded-for': '203.0.113.5' });
    expect(answer.error.code).toBe('IP_NOT_ALLOWED');
  });

  it('is read-only while the only workspace is locked', async () => {
    const locked = await fixture.tenant();
    const person = await fixture.login(locked.owner.email);
    await fixture.database.query(`UPDATE tenancy.workspaces SET status = 'locked' WHERE id = $1`, [
      locked.workspace.id,
    ]);
    for (const credentials of [{ key: locked.key }, { cookie: person }]) {
      const change = () => fixture.call('PATCH', '/api/organization', { ...credentials, body: { name: 'New' } });
      expect(
        await until('the lock is effective', async () => (await change()).status === 403 && change()),
      ).toMatchObject(forbidden);
      expect((await fixture.call('GET', '/api/organization', credentials)).status).toBe(200);
    }
    const guest = await fixture.user(locked.organizationId, 'member');
    const removal = await fixture.call('DELETE', `/api/organization/members/${guest.id}`, { cookie: person });
    expect(removal.status).toBe(204);
  });
});
