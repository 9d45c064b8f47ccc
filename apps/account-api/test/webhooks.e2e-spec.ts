import { UNREACHABLE_HOSTS, until } from '@heliograph/testing';
import { LOOPBACK_WEBHOOKS } from './account-fixture';
import { WebhooksFixture, type Webhook } from './webhooks-fixture';

describe('webhooks', () => {
  let fixture: WebhooksFixture;
  beforeAll(async () => {
    fixture = await WebhooksFixture.shared();
  });
  afterAll(() => fixture.receiver.stop());

  const statusOf = async (method: string, path: string, body?: object, tenant = fixture.tenant): Promise<number> => {
    const response = await fetch(`${fixture.account.service.url}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return response.status;
  };

  it('are created with a secret that is shown once and stored sealed', async () => {
    const created = await fixture.create('/created', ['sms.delivered', 'email.*'], {
      description: 'Orders',
      headers: { Authorization: 'Bearer token' },
    });
    expect(created.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(created.secret.slice(6), 'base64')).toHaveLength(32);
    expect(created).toMatchObject({
      url: `${fixture.receiver.url}/created`,
      events: ['sms.delivered', 'email.*'],
      description: 'Orders',
      workspace_id: null,
      headers: { Authorization: 'Bearer token' },
      active: true,
      status: 'healthy',
    });
    expect(await fixture.get(created.id)).not.toHaveProperty('secret');
    const [row] = await fixture.account.database.query<{ text: string }>(
      'SELECT s::text AS text FROM webhooks.subscriptions AS s WHERE id = $1',
      [created.id],
    );
    expect(row!.text).not.toContain(created.secret.slice(6));
    const rotated = await fixture.call<Webhook>('POST', `webhooks/${created.id}/rotate-secret`);
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(created.secret);
  });

  it('are listed, updated and deleted', async () => {
    const tenant = await fixture.account.tenant();
    const made = [];
    for (const path of ['/a', '/b', '/c']) made.unshift((await fixture.create(path, ['*'], {}, tenant)).id);
    const list = (query: string) =>
      fixture.call<{
        data: Webhook[];
        next_cursor?: string;
      }>('GET', `webhooks?${query}`, undefined, tenant);
    const first = await list('limit=2');
    const rest = await list(`limit=2&cursor=${first.next_cursor}`);
    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(made);
    expect(rest.next_cursor).toBeUndefined();
    const [id] = made;
    const body = { events: ['lead.captured'], description: null, workspace_id: tenant.workspace.id, active: false };
    expect(await fixture.call('PUT', `webhooks/${id}`, body, tenant)).toMatchObject(body);
    expect((await list(`workspace_id=${tenant.workspace.id}`)).data).toHaveLength(1);
    expect(await statusOf('DELETE', `webhooks/${id}`, undefined, tenant)).toBe(204);
    expect(await statusOf('GET', `webhooks/${id}`, undefined, tenant)).toBe(404);
    const { status } = await fixture.account.call('POST', `/api/v1/webhooks/${made[1]}/replay`, {
      key: tenant.key,
      body: { from: new Date().toISOString(), until: '2020-01-01T00:00:00Z' },
    });
    expect(status).toBe(400);
  });

  it('are limited to 50 per organization', async () => {
    const tenant = await fixture.account.tenant();
    for (let index = 0; index < 50; index++) await fixture.create(`/limit-${index}`, ['*'], {}, tenant);
    const body = { url: `${fixture.receiver.url}/more`, events: ['*'] };
    expect(await fixture.call('POST', 'webhooks', body, tenant)).toMatchObject({ error: { code: 'LIMIT_REACHED' } });
  });

  const url = 'https://8.8.8.8/hooks';
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`X-${index}`, 'x']));
  it.each([
    ['url', 'INVALID_URL', { events: ['*'] }],
    ['url', 'INVALID_URL', { url: 'nowhere', events: ['*'] }],
    ['url', 'INVALID_URL', { url: 'https://10.0.0.1/', events: ['*'] }],
    ['url', 'INVALID_URL', { url: 'http://[::1]/', events: ['*'] }],
    ['url', 'INVALID_URL', { url: 'https://0xa9fea9fe/latest/meta-data', events: ['*'] }],
    ['url', 'INVALID_URL', { url: 'http://console.example/', events: ['*'] }],
    ['url', 'INVALID_URL', { url: 5, events: ['*'] }],
    ['events', 'INVALID_REQUEST', { url }],
    ['events', 'INVALID_REQUEST', { url, events: [] }],
    ['events[0]', 'INVALID_REQUEST', { url, events: ['sms.exploded'] }],
    ['events', 'INVALID_REQUEST', { url, events: 'sms.*' }],
    ['headers', 'INVALID_REQUEST', { url, events: ['*'], headers: many }],
    ['headers', 'INVALID_REQUEST', { url, events: ['*'], headers: { 'Webhook-Id': 'x' } }],
    ['headers', 'INVALID_REQUEST', { url, events: ['*'], headers: { 'X-A': 'a\r\nX-B: b' } }],
    ['headers', 'INVALID_REQUEST', { url, events: ['*'], headers: { Host: 'x' } }],
    ['description', 'INVALID_REQUEST', { url, events: ['*'], description: 'x'.repeat(2_001) }],
    ['active', 'INVALID_REQUEST', { url, events: ['*'], active: 'yes' }],
  ])('are rejected for an invalid %s: %s %j', async (field, code, body) => {
    const count = () =>
      fixture.account.database.query('SELECT count(*) FROM webhooks.subscriptions WHERE organization_id = $1', [
        fixture.tenant.organizationId,
      ]);
    const before = await count();
    const answer = await fixture.call('POST', 'webhooks', body);
    expect(answer).toMatchObject({ status: 400, code, fields: [{ field }] });
    expect(await count()).toEqual(before);
  });

  describe('with the settings of production, which allow neither http nor internal addresses', () => {
    const own = {
      PUBLIC_BASE_URL: 'https://api.heliograph.example',
      PUBLIC_TRACKING_URL: 'https://links.heliograph.example',
      PUBLIC_BOTS_URL: 'https://chat.heliograph.example/bots',
    };
    let strict: WebhooksFixture;
    beforeAll(async () => {
      const environment = { WEBHOOK_ALLOW_HTTP: 'false', WEBHOOK_ALLOWED_NETWORKS: '', ...own };
      strict = await WebhooksFixture.on(await fixture.account.beside(environment));
    });
    afterAll(async () => {
      await strict.receiver.stop();
      await strict.account.service.stop();
    });

    it('are refused for http, and for every notation of an address that is not reachable', async () => {
      expect(UNREACHABLE_HOSTS.length).toBeGreaterThanOrEqual(60);
      for (const host of UNREACHABLE_HOSTS) {
        const { status, code } = (await strict.call('POST', 'webhooks', {
          url: `https://${host}/hooks`,
          events: ['*'],
        })) as never as { status: number; code: string };
        expect([host, status, code]).toEqual([host, 400, 'INVALID_URL']);
      }
      const body = { url: `${strict.receiver.url}/`, events: ['*'] };
      expect(await strict.call('POST', 'webhooks', body)).toMatchObject({ status: 400, code: 'INVALID_URL' });
    });

    it('are refused for every public URL of this service', async () => {
      for (const base of Object.values(own)) {
        const url = `${new URL(base).origin}/hooks`;
        const message = 'url must not be an address of this service.';
        expect(await strict.call('POST', 'webhooks', { url, events: ['*'] })).toMatchObject({
          status: 400,
          code: 'INVALID_URL',
          fields: [{ field: 'url', message }],
        });
      }
    });
  });

  it('are refused for the ports of the services behind the gateway, which run on this machine', async () => {
    const services = { SMS_API_URL: 'http://127.0.0.1:18081', BILLING_HOOK_URL: 'http://localhost:18087' };
    const service = await fixture.account.beside({ ...LOOPBACK_WEBHOOKS, ...services });
    const local = await WebhooksFixture.on(service);
    try {
      for (const host of ['localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]']) {
        for (const port of [18_081, 18_087]) {
          const body = { url: `http://${host}:${port}/sms`, events: ['*'] };
          expect(await local.call('POST', 'webhooks', body)).toMatchObject({ status: 400, code: 'INVALID_URL' });
        }
      }
      const other = { url: `${local.receiver.url}/hooks`, events: ['*'] };
      expect(await local.call('POST', 'webhooks', other)).toMatchObject({ status: 'healthy' });
    } finally {
      await local.receiver.stop();
      await service.service.stop();
    }
  });

  it('are refused for a locked workspace, and to a key that is bound to it', async () => {
    const tenant = await fixture.account.tenant();
    const { id } = await fixture.account.factory.workspace(tenant.organizationId, { status: 'locked' });
    const key = await fixture.account.factory.key(tenant.organizationId, { workspaceId: id });
    const body = { url: 'https://example.com/', events: ['*'] };
    const refused = { status: 403, code: 'FORBIDDEN' };
    expect(await fixture.call('POST', 'webhooks', { ...body, workspace_id: id }, tenant)).toMatchObject(refused);
    expect(await fixture.call('POST', 'webhooks', body, { ...tenant, key })).toMatchObject(refused);
    expect(await fixture.call('GET', 'webhooks', undefined, { ...tenant, key })).toMatchObject({ status: 200 });
  });

  it('of a workspace are those that a key bound to it creates, sees and changes', async () => {
    const tenant = await fixture.account.tenant();
    const other = await fixture.account.factory.workspace(tenant.organizationId);
    const { id: workspaceId } = tenant.workspace;
    const bound = { ...tenant, key: await fixture.account.factory.key(tenant.organizationId, { workspaceId }) };
    const ofAll = await fixture.create('/all', ['*'], {}, tenant);
    const ofOther = await fixture.create('/other', ['*'], { workspace_id: other.id }, tenant);
    const own = await fixture.create('/own', ['*'], {}, bound);
    expect(own).toMatchObject({ workspace_id: workspaceId });
    const list = (await fixture.call('GET', 'webhooks', undefined, bound)) as never as { data: Webhook[] };
    expect(list.data.map(({ id }) => id)).toEqual([own.id]);
    for (const { id } of [ofAll, ofOther]) {
      for (const [method, path] of [
        ...([
          ['GET', ''],
          ['PUT', ''],
          ['DELETE', ''],
          ['GET', '/logs'],
          ['POST', '/test'],
        ] as const),
        ...([
          ['POST', '/rotate-secret'],
          ['POST', '/replay'],
        ] as const),
      ]) {
        const body = path === '/replay' ? { from: new Date().toISOString() } : {};
        const { status } = await fixture.call(
          method,
          `webhooks/${id}${path}`,
          method === 'GET' ? undefined : body,
          bound,
        );
        expect([method, path, status]).toEqual([method, path, 404]);
      }
    }
    for (const workspace_id of [null, workspaceId]) {
      const changed = await fixture.call('PUT', `webhooks/${own.id}`, { workspace_id }, bound);
      expect(changed).toMatchObject({ workspace_id: workspaceId });
    }
    expect((await fixture.call('PUT', `webhooks/${own.id}`, { workspace_id: other.id }, bound)).status).toBe(404);
    const foreign = { url: `${fixture.receiver.url}/x`, events: ['*'], workspace_id: other.id };
    expect((await fixture.call('POST', 'webhooks', foreign, bound)).status).toBe(404);
    await fixture.publish({ ...tenant, workspace: other });
    const messageId = await fixture.publish(tenant);
    const feed = () =>
      fixture.call('GET', 'events', undefined, bound) as never as Promise<{ data: { data: { id: string } }[] }>;
    await until('the event of the workspace is stored', async () => (await feed()).data.length > 0);
    expect((await feed()).data.map(({ data }) => data.id)).toEqual([messageId]);
    expect((await fixture.call('GET', `events?workspace_id=${other.id}`, undefined, bound)).status).toBe(404);
  });

  it.each(['events?after=x', 'events?types=sms.exploded', 'events?limit=0'])(
    'return 400 INVALID_REQUEST for the feed query %s',
    async (path) => expect(await fixture.call('GET', path)).toMatchObject({ status: 400, code: 'INVALID_REQUEST' }),
  );

  it('a repeated test with the same Idempotency-Key gets the same attempt, and nothing is sent again', async () => {
    const { id } = await fixture.create('/tested', ['sms.*']);
    const test = async (): Promise<unknown> => {
      const response = await fetch(`${fixture.account.service.url}/api/v1/webhooks/${id}/test`, {
        method: 'POST',
        headers: { authorization: `Bearer ${fixture.tenant.key}`, 'idempotency-key': 'test' },
      });
      return response.json();
    };
    const first = await test();
    expect(first).toMatchObject({ status_code: 200 });
    expect(await test()).toEqual(first);
    expect(fixture.receiver.at('/tested')).toHaveLength(1);
  });

  it('a repeated creation with the same Idempotency-Key gets the same secret', async () => {
    const create = async (): Promise<Webhook> => {
      const response = await fetch(`${fixture.account.service.url}/api/v1/webhooks`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${fixture.tenant.key}`,
          'content-type': 'application/json',
          'idempotency-key': 'one',
        },
        body: JSON.stringify({ url, events: ['*'], active: false }),
      });
      return (await response.json()) as Webhook;
    };
    expect(await create()).toEqual(await create());
  });
});
