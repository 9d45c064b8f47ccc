import type { OneEmailTracking } from '../src/channels/email/tracking/tracking.dto';
import { AccountFixture, type Tenant } from './account-fixture';

const TRACKING = '/api/organization/email/tracking';

describe('email tracking', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
  });
  beforeEach(async () => {
    tenant = await fixture.tenant();
  });

  const pathOf = {
    workspace: () => Promise.resolve(`${TRACKING}/workspaces/${tenant.workspace.id}`),
    key: async () => {
      const call = { key: tenant.key, body: { name: 'mailing' } };
      const path = '/api/organization/api-keys';
      const { data } = await fixture.call<{ apiKey: { id: string } }>('POST', path, call);
      return `${TRACKING}/keys/${data.apiKey.id}`;
    },
  };
  const get = async (path: string, key = tenant.key) =>
    (await fixture.call<OneEmailTracking>('GET', path, { key })).data.tracking;
  const put = (path: string, body: object) => fixture.call<OneEmailTracking>('PUT', path, { key: tenant.key, body });

  describe.each(['workspace', 'key'] as const)('of a %s', (kind) => {
    it('is enabled by default, and an update changes only the given fields', async () => {
      const path = await pathOf[kind]();
      expect(await get(path)).toEqual({ opens: true, clicks: true });
      expect(await put(path, { opens: false })).toMatchObject({
        status: 200,
        data: { tracking: { opens: false, clicks: true } },
      });
      expect((await put(path, { clicks: false })).data.tracking).toEqual({ opens: false, clicks: false });
      expect((await put(path, { opens: true })).data.tracking).toEqual({ opens: true, clicks: false });
      expect((await put(path, {})).data.tracking).toEqual({ opens: true, clicks: false });
      expect(await get(path)).toEqual({ opens: true, clicks: false });
    });

    it('is audited, except for updates without a change', async () => {
      const path = await pathOf[kind]();
      await put(path, { opens: false });
      await put(path, { opens: false });
      const log = '/api/organization/audit-log?action=email.tracking.changed';
      const { data } = await fixture.call<{ entries: object[] }>('GET', log, { key: tenant.key });
      expect(data.entries).toHaveLength(1);
      expect(data.entries[0]).toMatchObject({
        before: { opens: true },
        after: { opens: false },
        target: { type: kind === 'workspace' ? 'workspace' : 'apikey', id: path.split('/').at(-1) },
      });
    });

    it.each([
      ['opens', { opens: 'false' }],
      ['opens', { opens: null }],
      ['clicks', { clicks: 0 }],
    ])('is rejected with a message about %s: %j', async (field, body) => {
      const { status, error } = await put(await pathOf[kind](), body);
      expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
      expect(error.message).toMatch(new RegExp(`^${field}: `));
    });
  });

  it('of a workspace is available to a key that is bound to it, but not to a key of another workspace', async () => {
    const path = await pathOf.workspace();
    const bound = await fixture.factory.key(tenant.organizationId, { workspaceId: tenant.workspace.id });
    expect(await get(path, bound)).toEqual({ opens: true, clicks: true });
    const other = await fixture.factory.workspace(tenant.organizationId);
    const stranger = await fixture.factory.key(tenant.organizationId, { workspaceId: other.id });
    expect((await fixture.call('GET', path, { key: stranger })).status).toBe(404);
  });

  it('cannot be updated in a locked workspace', async () => {
    await fixture.factory.workspace(tenant.organizationId, { slug: tenant.workspace.slug, status: 'locked' });
    const path = await pathOf.workspace();
    expect(await put(path, { opens: false })).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
    expect(await get(path)).toEqual({ opens: true, clicks: true });
  });
});
