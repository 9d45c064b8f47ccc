import { newId } from '@heliograph/database';
import { unique } from '@heliograph/testing';
import { AccountFixture, type Tenant } from './account-fixture';

interface Entry {
  id: string;
  at: string;
  actor: { kind: string; id: string | null; name: string };
  action: string;
  target: { type: string; id: string };
  before: object | null;
  after: object | null;
}

describe('GET /api/organization/audit-log', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let cookie: string;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
  });
  beforeEach(async () => {
    tenant = await fixture.tenant();
    cookie = await fixture.login(tenant.owner.email);
  });

  const read = (query = '', key = tenant.key) =>
    fixture.call<{ entries: Entry[]; nextCursor?: string }>('GET', `/api/organization/audit-log${query}`, { key });
  const entries = async (query = '') => (await read(query)).data.entries;
  const rename = (name: string) => fixture.call('PATCH', '/api/organization', { cookie, body: { name } });
  const makeWorkspace = async () =>
    (
      await fixture.call<{ workspace: { id: string; slug: string } }>('POST', '/api/workspaces', {
        key: tenant.key,
        body: { slug: `made-${unique()}`, displayName: 'Made' },
        headers: { 'user-agent': 'program/1', 'x-request-id': 'req-2' },
      })
    ).data.workspace;

  it('contains the actor, the change, the time and the origin, with exactly the documented fields', async () => {
    const workspace = await makeWorkspace();
    const [entry] = await entries();
    expect(entry).toEqual({
      id: expect.any(String) as string,
      at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      actor: { kind: 'key', id: expect.any(String) as string, name: expect.stringMatching(/^key-/) as string },
      action: 'workspace.created',
      target: { type: 'workspace', id: workspace.id },
      workspaceId: workspace.id,
      before: null,
      after: expect.objectContaining({ slug: workspace.slug }) as object,
      ipAddress: '127.0.0.1',
      userAgent: 'program/1',
      requestId: 'req-2',
    });
    await rename('New');
    const [newest] = await entries();
    expect(newest).toMatchObject({
      actor: { kind: 'user', id: tenant.owner.id, name: tenant.owner.email },
      action: 'organization.changed',
      after: { name: 'New' },
    });
  });

  it('contains writes but no rejected or repeated requests', async () => {
    await fixture.call('PATCH', '/api/organization', { cookie, body: { name: '' } });
    await fixture.call('DELETE', `/api/organization/members/${tenant.owner.id}`, { cookie });
    await fixture.call('POST', '/api/workspaces', { cookie, body: { slug: tenant.workspace.slug, displayName: 'x' } });
    expect(await entries()).toEqual([]);
    const headers = { 'idempotency-key': unique() };
    for (let i = 0; i < 3; i++) {
      await fixture.call('PATCH', '/api/organization', { key: tenant.key, body: { name: 'Once' }, headers });
    }
    expect(await entries()).toHaveLength(1);
  });

  it('is paginated, newest first', async () => {
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) await rename(name);
    const names = (list: Entry[]) => list.map(({ after }) => (after as { name: string }).name);
    const first = (await read('?limit=2')).data;
    await rename('Six');
    const second = (await read(`?limit=2&cursor=${first.nextCursor ?? ''}`)).data;
    const third = (await read(`?limit=2&cursor=${second.nextCursor ?? ''}`)).data;
    expect([first, second, third].map((page) => names(page.entries))).toEqual([
      ['Five', 'Four'],
      ['Three', 'Two'],
      ['One'],
    ]);
    expect('nextCursor' in third).toBe(false);
  });

  it('can be filtered by action, actor, target and time, also combined', async () => {
    await rename('One');
    const workspace = await makeWorkspace();
    const [made, renamed] = await entries();
    const ids = async (query: string) => (await entries(query)).map(({ id }) => id);
    expect(await ids('?action=organization.changed')).toEqual([renamed!.id]);
    expect(await ids(`?actorId=${tenant.owner.id}`)).toEqual([renamed!.id]);
    expect(await ids(`?targetId=${workspace.id}`)).toEqual([made!.id]);
    expect(await ids(`?from=${made!.at}`)).toContain(made!.id);
    expect(await ids(`?to=${renamed!.at}`)).not.toContain(made!.at === renamed!.at ? '' : made!.id);
    expect(await ids('?from=2999-01-01T00:00:00Z')).toEqual([]);
    expect(await ids('?to=2000-01-01T00:00:00%2B05:30')).toEqual([]);
    expect(await ids('?from=2016-12-31T23:59:60Z&to=2998-12-31T23:59:60Z')).toHaveLength(2);
    expect(await ids('?from=2000-01-01T00:00:00Z&to=2999-01-01T00:00:00Z')).toHaveLength(2);
    expect(await ids(`?action=workspace.created&actorId=${tenant.owner.id}`)).toEqual([]);
    const all = `?action=workspace.created&actorId=${made!.actor.id ?? ''}&targetId=${workspace.id}&from=2000-01-01T00:00:00Z`;
    expect(await ids(all)).toEqual([made!.id]);
    for (const query of ['?actorId=x', `?actorId=${newId()}`, '?targetId=x', "?action='", '?action=']) {
      expect(await ids(query)).toEqual([]);
    }
  });

  it.each([
    'from=yesterday',
    'from=2026-01-01',
    'to=2026-13-01T00:00:00Z',
    'to=2026-02-30T00:00:00Z',
    'from=2026-01-01T24:00:00Z',
    'to=',
    'limit=0',
    'limit=101',
    'cursor=x',
  ])('rejects %s with 422', async (query) => {
    const answer = await read(`?${query}`);
    expect(answer).toMatchObject({ status: 422, ok: false, error: { code: 'VALIDATION_ERROR' } });
    expect(answer.error.message).toMatch(new RegExp(`^${query.split('=')[0]}: `));
  });

  it('shows no entry of another organization for any filter or cursor', async () => {
    await rename('Secret');
    const [entry] = await entries();
    const another = await fixture.tenant();
    const cursor = Buffer.from('ffffffff-ffff-7fff-bfff-ffffffffffff').toString('base64url');
    for (const query of ['', `?actorId=${tenant.owner.id}`, `?targetId=${entry!.target.id}`, `?cursor=${cursor}`]) {
      expect((await read(query, another.key)).data).toEqual({ entries: [] });
    }
    expect((await read(`?cursor=${cursor}`)).data.entries).toHaveLength(1);
  });
});
