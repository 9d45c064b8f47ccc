import { testIdOf } from '@heliograph/database';
import { expectEventually, unique } from '@heliograph/testing';
import type { KeyList, NewKey, OneKey } from '../src/developer/api-keys/api-keys.dto';
import type { OneWorkspace, WorkspaceList } from '../src/identity/workspaces/workspaces.dto';
import { TEST_CREDITS } from '@heliograph/test-organizations';
import { AccountFixture, type Credentials, type Tenant } from './account-fixture';

const KEYS = '/api/organization/api-keys';
const IN_TEST_MODE = { 'heliograph-mode': 'test' };

describe('test mode', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let session: string;
  let testKey: NewKey;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
    session = await fixture.login(tenant.owner.email);
    testKey = await create({ mode: 'test' });
  });

  const create = async (body: object, as: Credentials = { key: tenant.key }, headers = {}): Promise<NewKey> => {
    const named = { name: `key-${unique()}`, role: 'owner', ...body };
    const { status, data, error } = await fixture.call<NewKey>('POST', KEYS, { ...as, headers, body: named });
    expect([status, error]).toEqual([201, undefined]);
    return data;
  };
  const idsOf = ({ apiKeys }: KeyList) => apiKeys.map(({ id }) => id);
  const workspacesOf = async (options: Parameters<AccountFixture['call']>[2]) =>
    (await fixture.call<WorkspaceList>('GET', '/api/workspaces', options)).data.workspaces;

  describe('of API keys', () => {
    it('is a part of the key, and shown with it', async () => {
      expect(testKey.key).toMatch(/^msg_test_[0-9A-Za-z]{40}$/);
      expect(testKey.apiKey.mode).toBe('test');
      const rotated = await fixture.call<NewKey>('POST', `${KEYS}/${testKey.apiKey.id}/rotate`, {
        key: tenant.key,
        body: {},
      });
      expect(rotated.data.key).toMatch(/^msg_test_/);
      testKey = rotated.data;
    });

    it('separates the lists', async () => {
      const live = await fixture.call<KeyList>('GET', KEYS, { key: tenant.key });
      expect(idsOf(live.data)).not.toContain(testKey.apiKey.id);
      for (const [path, key] of [
        [`${KEYS}?mode=test`, tenant.key],
        [KEYS, testKey.key],
      ] as const) {
        const { data } = await fixture.call<KeyList>('GET', path, { key });
        expect(idsOf(data)).toContain(testKey.apiKey.id);
        expect(new Set(data.apiKeys.map(({ mode }) => mode))).toEqual(new Set(['test']));
      }
    });

    it('lets live callers manage test keys, and never test callers live keys', async () => {
      const live = await create({});
      const path = `${KEYS}/${testKey.apiKey.id}`;
      expect((await fixture.call<OneKey>('GET', path, { key: tenant.key })).data.apiKey.mode).toBe('test');
      expect((await fixture.call('GET', `${KEYS}/${live.apiKey.id}`, { key: testKey.key })).status).toBe(404);
      expect((await fixture.call('DELETE', `${KEYS}/${live.apiKey.id}`, { key: testKey.key })).status).toBe(404);
      expect((await fixture.call('GET', `${KEYS}?mode=live`, { key: testKey.key })).error.code).toBe('FORBIDDEN');
      const body = { name: `key-${unique()}`, mode: 'live' };
      expect((await fixture.call('POST', KEYS, { key: testKey.key, body })).error.code).toBe('FORBIDDEN');
      expect((await create({}, { key: testKey.key })).apiKey.mode).toBe('test');
    });

    it('binds a test key to the twin of a live workspace', async () => {
      const { id } = tenant.workspace;
      const bound = await create({ mode: 'test', workspaceId: id });
      expect(bound.apiKey.workspaceId).toBe(testIdOf(id));
      expect((await workspacesOf({ key: bound.key })).map((workspace) => workspace.id)).toEqual([testIdOf(id)]);
    });

    it('is refused with any other value', async () => {
      const answer = await fixture.call('POST', KEYS, { key: tenant.key, body: { name: 'x', mode: 'sandbox' } });
      expect([answer.status, answer.error.message]).toEqual([422, expect.stringContaining('live, test')]);
    });

    it('creates one twin for concurrent first uses', async () => {
      const { key, workspace } = await fixture.tenant();
      const keys = await Promise.all([1, 2, 3].map(() => create({ mode: 'test' }, { key })));
      const [own] = await workspacesOf({ key: keys[0]!.key });
      expect(own).toMatchObject({ id: testIdOf(workspace.id), displayName: workspace.displayName });
    });
  });

  it('has a balance, senders, templates, and an email domain from the start', async () => {
    const as = { key: testKey.key };
    const balance = await fixture.v1<{ balances: object }>('GET', '/api/v1/credits/balance', as);
    expect(JSON.stringify(balance).match(new RegExp(String(TEST_CREDITS), 'g'))).toHaveLength(3);
    const senders = await fixture.call<{ senders: object[] }>('GET', '/api/organization/sms/senders', as);
    expect(senders.data.senders).toMatchObject([{ header: 'TESTIN' }, { header: 'TESTUS' }]);
    const domains = await fixture.call<{ domains: object[] }>('GET', '/api/organization/email/domains', as);
    expect(domains.data.domains).toMatchObject([{ name: 'mail.test', status: 'verified' }]);
    const templates = await fixture.call<{ templates: object[] }>('GET', '/api/organization/chatapp/templates', as);
    expect(templates.data.templates).toContainEqual(expect.objectContaining({ name: 'hello', status: 'APPROVED' }));
  });

  describe('of sessions', () => {
    it('is chosen by the header', async () => {
      const live = await workspacesOf({ cookie: session });
      const test = await workspacesOf({ cookie: session, headers: IN_TEST_MODE });
      expect(test.map(({ id }) => id)).toEqual(live.map(({ id }) => testIdOf(id)));
      for (const [{ id }, other, headers] of [
        [test[0]!, live[0]!, IN_TEST_MODE],
        [live[0]!, test[0]!, {}],
      ] as const) {
        expect((await fixture.call('GET', `/api/workspaces/${id}`, { cookie: session, headers })).status).toBe(200);
        expect((await fixture.call('GET', `/api/workspaces/${other.id}`, { cookie: session, headers })).status).toBe(
          404,
        );
      }
    });

    it('has the role of the live organization', async () => {
      const viewer = await fixture.login((await fixture.user(tenant.organizationId, 'viewer')).email);
      const body = { name: `key-${unique()}` };
      const refused = await fixture.call('POST', KEYS, { cookie: viewer, headers: IN_TEST_MODE, body });
      expect(refused.error.code).toBe('FORBIDDEN');
      const stranger = await fixture.login((await fixture.tenant()).owner.email);
      const workspaces = await workspacesOf({ cookie: stranger, headers: IN_TEST_MODE });
      expect(workspaces.map(({ id }) => id)).not.toContain(testIdOf(tenant.workspace.id));
      const { status } = await fixture.call('GET', `/api/workspaces/${testIdOf(tenant.workspace.id)}`, {
        cookie: stranger,
        headers: IN_TEST_MODE,
      });
      expect(status).toBe(404);
    });

    it.each([
      ['GET', '/api/organization/members'],
      ['PUT', '/api/organization/ip-allowlist'],
      ['POST', '/api/workspaces'],
    ])('refuses what belongs to the live organization: %s %s', async (method, path) => {
      const answer = await fixture.call(method, path, {
        cookie: session,
        headers: IN_TEST_MODE,
        ...(method === 'GET' ? {} : { body: {} }),
      });
      expect(answer.error).toMatchObject({
        code: 'FORBIDDEN',
        message: expect.stringContaining('Test mode') as string,
      });
    });

    it('refuses another value of the header', async () => {
      const answer = await fixture.call('GET', '/api/workspaces', {
        cookie: session,
        headers: { 'heliograph-mode': 'TEST' },
      });
      expect(answer).toMatchObject({ status: 400, error: { code: 'INVALID_REQUEST' } });
    });
  });

  it('gets a twin of each workspace that is created later', async () => {
    const slug = `later-${unique()}`;
    const { data } = await fixture.call<OneWorkspace>('POST', '/api/workspaces', {
      cookie: session,
      body: { slug, displayName: 'Later' },
    });
    const twins = await workspacesOf({ key: testKey.key });
    expect(twins).toContainEqual(expect.objectContaining({ id: testIdOf(data.workspace.id), displayName: 'Later' }));
    const balance = await fixture.v1('GET', `/api/v1/credits/balance?workspace_id=${testIdOf(data.workspace.id)}`, {
      key: testKey.key,
    });
    expect(JSON.stringify(balance)).toContain(String(TEST_CREDITS));
  });

  it('shares the allow-list of the live organization', async () => {
    const other = await fixture.tenant();
    const { key } = await create({ mode: 'test' }, { key: other.key });
    const cookie = await fixture.login(other.owner.email);
    const body = { entries: ['203.0.113.7'], force: true };
    expect((await fixture.call('PUT', '/api/organization/ip-allowlist', { cookie, body })).status).toBe(200);
    const { error } = await fixture.call('GET', '/api/workspaces', { key });
    expect(error.code).toBe('IP_NOT_ALLOWED');
  });

  describe('has a clock that', () => {
    const CLOCK = '/api/v1/test/clock';
    interface ClockFields {
      status: number;
      now: string;
      advanced_seconds: number;
      code: string;
      fields: { field: string }[];
    }
    const advance = (body: object, key = testKey.key) => fixture.v1<ClockFields>('POST', CLOCK, { key, body });

    it('is not advanced at first', async () => {
      const clock = await fixture.v1<ClockFields>('GET', CLOCK, { key: testKey.key });
      expect(clock).toMatchObject({ status: 200, advanced_seconds: 0 });
      expect(Math.abs(Date.parse(clock.now) - Date.now())).toBeLessThan(10_000);
    });

    it('moves the expiry of test keys, and not that of live keys', async () => {
      const expiresAt = new Date(Date.now() + 2 * 3_600_000).toISOString();
      const test = await create({ mode: 'test', expiresAt });
      const live = await create({ expiresAt });
      const status = async (key: string) => (await fixture.call('GET', '/api/workspaces', { key })).status;
      expect(await advance({ advance: 'PT1H' })).toMatchObject({ status: 200, advanced_seconds: 3_600 });
      expect([await status(test.key), await status(live.key)]).toEqual([200, 200]);
      expect(await advance({ advance: 'PT1H' })).toMatchObject({ status: 200, advanced_seconds: 7_200 });
      await expectEventually(() => status(test.key), 401);
      expect(await status(live.key)).toBe(200);
    });

    it('moves the due times of webhook deliveries, and of nothing else that belongs to others', async () => {
      const rows = (organizationId: string) =>
        fixture.database.query<{ at: string }>(
          `SELECT extract(epoch FROM created_at)::text AS at FROM webhooks.subscriptions WHERE organization_id = $1`,
          [organizationId],
        );
      const body = { url: 'http://127.0.0.1:9/', events: ['sms.delivered'] };
      for (const key of [testKey.key, tenant.key]) {
        const made = await fixture.v1<{ id: string }>('POST', '/api/v1/webhooks', { key, body });
        expect(made.id).toEqual(expect.any(String));
      }
      const before = await Promise.all([testIdOf(tenant.organizationId), tenant.organizationId].map(rows));
      await advance({ advance: 'P3D' });
      const after = await Promise.all([testIdOf(tenant.organizationId), tenant.organizationId].map(rows));
      expect(Number(before[0]![0]!.at) - Number(after[0]![0]!.at)).toBeCloseTo(3 * 86_400);
      expect(after[1]).toEqual(before[1]);
    });

    it('is advanced until a time', async () => {
      const { advanced_seconds: before } = await fixture.v1<ClockFields>('GET', CLOCK, { key: testKey.key });
      const until = new Date(Date.now() + 60_000).toISOString();
      const { advanced_seconds: after } = await advance({ until });
      expect(after - before).toBeGreaterThan(55);
      expect(after - before).toBeLessThanOrEqual(60);
    });

    it.each([
      [{ advance: 'P0D' }, 'advance'],
      [{ advance: 'P367D' }, 'advance'],
      [{ advance: '3 days' }, 'advance'],
      [{ advance: 'P1M' }, 'advance'],
      [{ until: '2020-01-01T00:00:00Z' }, 'until'],
      [{ until: '2090-01-01T00:00:00Z' }, 'until'],
      [{ until: 'tomorrow' }, 'until'],
      [{ advance: 'P1D', until: '2030-01-01T00:00:00Z' }, 'advance'],
      [{}, 'advance'],
    ])('refuses %j', async (body, field) => {
      const before = await fixture.v1<ClockFields>('GET', CLOCK, { key: testKey.key });
      expect(await advance(body)).toMatchObject({ status: 400, code: 'INVALID_REQUEST', fields: [{ field }] });
      const after = await fixture.v1<ClockFields>('GET', CLOCK, { key: testKey.key });
      expect(after.advanced_seconds).toBe(before.advanced_seconds);
    });

    it('is not advanced by more than ten years', async () => {
      const { key } = await create({ mode: 'test' }, { key: (await fixture.tenant()).key });
      for (let year = 1; year <= 10; year++) expect((await advance({ advance: 'P366D' }, key)).status).toBe(200);
      expect(await advance({ advance: 'PT1S' }, key)).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
    });

    it('does not exist in live mode', async () => {
      for (const refused of [
        await fixture.v1<ClockFields>('GET', CLOCK, { key: tenant.key }),
        await advance({ advance: 'P1D' }, tenant.key),
        await fixture.v1<ClockFields>('POST', '/api/v1/test/credits', {
          key: tenant.key,
          body: { credit_type: 'sms', balance: 5 },
        }),
      ]) {
        expect(refused).toMatchObject({ status: 409, code: 'STATE_CONFLICT' });
      }
      await expect(
        fixture.database.query(`SELECT tenancy.advance_clock($1, interval '1 day')`, [tenant.organizationId]),
      ).rejects.toThrow('is not a test organization');
    });
  });

  describe('of webhooks', () => {
    const WEBHOOKS = '/api/v1/webhooks';
    interface Hook {
      id: string;
      mode: string;
      code: string;
      workspace_id: string | null;
    }
    const body = { url: 'http://127.0.0.1:9/', events: ['sms.delivered'] };
    const idsIn = async (path: string, key: string) =>
      (await fixture.v1<{ data: Hook[] }>('GET', path, { key })).data.map(({ id }) => id);

    it('is chosen by the request or by the key, and separates the lists', async () => {
      const { key } = await fixture.tenant();
      const live = await fixture.v1<Hook>('POST', WEBHOOKS, { key, body });
      const test = await fixture.v1<Hook>('POST', WEBHOOKS, { key, body: { ...body, mode: 'test' } });
      expect([live.mode, test.mode]).toEqual(['live', 'test']);
      const { key: test1 } = await create({ mode: 'test' }, { key });
      expect(await idsIn(WEBHOOKS, key)).toEqual([live.id]);
      expect(await idsIn(`${WEBHOOKS}?mode=test`, key)).toEqual([test.id]);
      expect(await idsIn(WEBHOOKS, test1)).toEqual([test.id]);
      // A live caller manages both by their id, a test caller only its own.
      const changed = await fixture.v1<Hook>('PUT', `${WEBHOOKS}/${test.id}`, { key, body: { active: false } });
      expect(changed).toMatchObject({ id: test.id, mode: 'test', active: false });
      expect(await fixture.v1<Hook>('GET', `${WEBHOOKS}/${live.id}`, { key: test1 })).toMatchObject({ status: 404 });
      const refused = await fixture.v1<Hook>('POST', WEBHOOKS, { key: test1, body: { ...body, mode: 'live' } });
      expect(refused.code).toBe('FORBIDDEN');
      expect((await fixture.call('DELETE', `${WEBHOOKS}/${test.id}`, { key })).status).toBe(204);
      expect(await idsIn(WEBHOOKS, test1)).toEqual([]);
    });

    it('restricts to the twin of a live workspace', async () => {
      const { key, workspace } = await fixture.tenant();
      const request = { ...body, mode: 'test', workspace_id: workspace.id };
      const hook = await fixture.v1<Hook>('POST', WEBHOOKS, { key, body: request });
      expect(hook.workspace_id).toBe(testIdOf(workspace.id));
      const bound = (await create({ workspaceId: workspace.id }, { key })).key;
      expect(await idsIn(`${WEBHOOKS}?mode=test`, bound)).toEqual([hook.id]);
      expect(await fixture.v1<Hook>('GET', `${WEBHOOKS}/${hook.id}`, { key: bound })).toMatchObject({ mode: 'test' });
    });
  });

  it('lets the balance be set', async () => {
    const set = (balance: number) =>
      fixture.v1<object>('POST', '/api/v1/test/credits', { key: testKey.key, body: { credit_type: 'email', balance } });
    for (const balance of [0, 7, 7]) expect(await set(balance)).toMatchObject({ status: 200, balance });
    expect(await fixture.v1('GET', '/api/v1/credits/balance', { key: testKey.key })).toMatchObject({ email: 7 });
    expect(await set(-1)).toMatchObject({ status: 400 });
  });

  it('has no purchases', async () => {
    const body = { credit_type: 'sms', package: 'sms-1000' };
    const answer = await fixture.v1<{ code: string }>('POST', '/api/v1/credits/purchase', { key: testKey.key, body });
    expect(answer.code).toBe('FORBIDDEN');
  });

  it('is not a separate organization for the operator', async () => {
    const { data } = await fixture.call<{ organizations: { id: string }[] }>(
      'GET',
      '/api/platform/organizations?limit=100',
      {
        operator: true,
      },
    );
    expect(data.organizations.map(({ id }) => id)).not.toContain(testIdOf(tenant.organizationId));
  });
});
