import { findBrokenEntries, reconcile } from '@heliograph/credits';
import { poolOf } from '@heliograph/database';
import { until } from '@heliograph/testing';
import { ChatappFixture, newNumber, type ChatappTenant } from './chatapp-fixture';

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/;

describe('the lifecycle of a chat-app message', () => {
  let chatapp: ChatappFixture;
  let tenant: ChatappTenant;
  beforeAll(async () => {
    chatapp = await ChatappFixture.shared();
    tenant = await chatapp.tenant();
  });
  afterEach(() => chatapp.provider.behaviours.reset());
  afterAll(async () => {
    const pool = poolOf(chatapp.tenants.dataSource);
    expect([...(await reconcile(pool)), ...(await findBrokenEntries(pool))]).toEqual([]);
  });

  const statusOf = async (id: unknown): Promise<Record<string, unknown>> =>
    (await chatapp.call(`/chatapp/status?id=${String(id)}`, { key: tenant.key })).body;

  it('returns exactly the send response, and sends exactly the message with the id of the service to the provider', async () => {
    const to = await chatapp.openNumber();
    const answer = await chatapp.send(tenant, { to, text: 'Grüße 👋' });
    expect(answer.status).toBe(200);
    const [message] = chatapp.provider.messages(to);
    expect(answer.body).toEqual({
      ok: true,
      id: message?.callbackData,
      chatappMessageId: message?.id,
      to,
      type: 'text',
      category: 'service',
      free: true,
      price: 0,
      currency: 'INR',
      charged: false,
    });
    const [request] = chatapp.provider.requests(to);
    expect(request?.path).toBe('/v21.0/100000000000001/messages');
    expect(request?.body).toEqual({
      messaging_product: 'chatapp',
      recipient_type: 'individual',
      to,
      type: 'text',
      text: { body: 'Grüße 👋' },
      biz_opaque_callback_data: answer.body['id'],
    });
  });

  it('charges a template by country and category before the call', async () => {
    await chatapp.rows(
      `INSERT INTO chatapp.prices (id, country, category, base_cost, markup, currency, valid_from)
       VALUES (gen_random_uuid(), 'DE', 'marketing', 900, 100, 'EUR', 'epoch')`,
    );
    const name = await chatapp.template(null);
    const before = await chatapp.balance(tenant.workspaceId);
    await until('the price has been loaded', async () => {
      const sent = await chatapp.send(tenant, { to: '+4915112345678', type: 'template', template: { name } });
      return sent.body['currency'] === 'EUR';
    });
    const sent = await chatapp.send(tenant, { to: '+4915112345678', type: 'template', template: { name } });
    expect(sent.body).toMatchObject({
      type: 'template',
      category: 'marketing',
      free: false,
      price: 1_000,
      currency: 'EUR',
      charged: true,
    });
    const india = await chatapp.send(tenant, { to: newNumber(), type: 'template', template: { name } });
    expect(india.body).toMatchObject({ price: 100, currency: 'INR' });
    expect(await chatapp.balance(tenant.workspaceId)).toBeLessThanOrEqual(before - 2_100);
  });

  it('returns exactly the status record for both ids, and moves the status forward', async () => {
    const to = await chatapp.openNumber();
    const { body } = await chatapp.send(tenant, { to, text: 'Hi' });
    const id = body['id'];
    const upstreamId = String(body['chatappMessageId']);
    const first = await statusOf(id);
    expect(first).toEqual({
      id,
      chatappMessageId: upstreamId,
      direction: 'outbound',
      to,
      from: expect.any(String) as string,
      type: 'text',
      templateName: null,
      category: 'service',
      status: 'accepted',
      error: null,
      price: 0,
      currency: 'INR',
      creditsCharged: false,
      createdAt: expect.stringMatching(TIMESTAMP) as string,
      sentAt: null,
      deliveredAt: null,
      readAt: null,
      failedAt: null,
    });
    expect(await statusOf(encodeURIComponent(upstreamId))).toEqual(first);
    expect((await chatapp.call(`/chatapp/status?messageId=${String(id)}`, { key: tenant.key })).body).toEqual(first);

    await chatapp.status(upstreamId, 'delivered');
    await chatapp.status(upstreamId, 'sent');
    expect(await statusOf(id)).toMatchObject({
      status: 'delivered',
      sentAt: expect.stringMatching(TIMESTAMP) as string,
      deliveredAt: expect.stringMatching(TIMESTAMP) as string,
      readAt: null,
    });
    await chatapp.status(upstreamId, 'read');
    await chatapp.status(upstreamId, 'failed');
    expect(await statusOf(id)).toMatchObject({
      status: 'read',
      failedAt: expect.stringMatching(TIMESTAMP) as string,
      error: 'Message undeliverable',
    });
  });

  it('lists both directions in the log, newest first, with exactly the documented fields', async () => {
    const own = await chatapp.tenant();
    const to = await chatapp.openNumber();
    const sent = await chatapp.send(own, { to, text: 'Hi' });
    const reply = await chatapp.inbound(to, { text: 'Hello' });
    const { body } = await chatapp.call('/chatapp/messages', { key: own.key });
    const messages = body['messages'] as Record<string, unknown>[];
    // The organization also sees messages of the number from before its first outbound message.
    expect(messages.map(({ direction }) => direction)).toEqual(['inbound', 'outbound', 'inbound']);
    expect(messages[0]).toEqual({
      id: expect.any(String) as string,
      chatappMessageId: reply,
      direction: 'inbound',
      to: '+15550100001',
      from: to,
      type: 'text',
      templateName: null,
      category: null,
      status: 'received',
      price: null,
      currency: null,
      createdAt: expect.stringMatching(TIMESTAMP) as string,
    });
    expect(messages[1]).toMatchObject({ id: sent.body['id'], direction: 'outbound', to, status: 'accepted' });
    const inbound = await chatapp.call(`/chatapp/status?id=${encodeURIComponent(reply)}`, { key: own.key });
    expect(inbound.body).toMatchObject({ direction: 'inbound', status: 'received', creditsCharged: false });
  });

  it('returns at most the 200 most recent messages in the log', async () => {
    const own = await chatapp.tenant();
    const to = await chatapp.openNumber();
    await chatapp.send(own, { to, text: 'Hi' });
    await chatapp.rows(
      `INSERT INTO chatapp.messages (id, organization_id, workspace_id, direction, status, type, recipient, sender)
       SELECT gen_random_uuid(), $1, $2, 'inbound', 'received', 'text', '+1', '+2' FROM generate_series(1, 250)`,
      [own.organizationId, own.workspaceId],
    );
    const { body } = await chatapp.call('/api/chatapp/messages', { key: own.key });
    expect(body['messages']).toHaveLength(200);
  });

  it('marks an own inbound message as read, under both prefixes', async () => {
    const to = await chatapp.openNumber();
    await chatapp.send(tenant, { to, text: 'Hi' });
    const messageId = await chatapp.inbound(to);
    for (const prefix of ['', '/api']) {
      const answer = await chatapp.post(tenant.key, `${prefix}/chatapp/mark-read`, { messageId });
      expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
    }
    const bodies = chatapp.provider.requests().map(({ body }) => body as Record<string, unknown> | null);
    expect(bodies.filter((body) => body?.['message_id'] === messageId)).toEqual([
      { messaging_product: 'chatapp', status: 'read', message_id: messageId },
      { messaging_product: 'chatapp', status: 'read', message_id: messageId },
    ]);
    const stranger = await chatapp.tenant();
    for (const [key, id] of [
      [stranger.key, messageId],
      [tenant.key, 'wamid.unknown'],
    ] as const) {
      const answer = await chatapp.post(key, '/chatapp/mark-read', { messageId: id });
      expect([answer.status, answer.body['code']]).toEqual([404, 'NOT_FOUND']);
    }
    const bad = await chatapp.post(tenant.key, '/chatapp/mark-read', { messageId: 7 });
    expect([bad.status, bad.body['code']]).toEqual([400, 'INVALID_REQUEST']);
  });

  it('returns exactly the account and the balance record', async () => {
    const own = await chatapp.tenant({ credits: 77 });
    const balance = { workspaceId: own.workspaceId, creditType: 'chatapp', balance: 77 };
    expect((await chatapp.call('/chatapp/balance', { key: own.key })).body).toEqual(balance);
    expect((await chatapp.call('/api/chatapp/account', { key: own.key })).body).toEqual({
      enabled: true,
      configured: true,
      ownerType: 'platform',
      ...balance,
    });
  });

  it('hides the messages of another organization', async () => {
    const stranger = await chatapp.tenant();
    const { body } = await chatapp.send(tenant, { to: await chatapp.openNumber(), text: 'Hi' });
    const unknown = ['nothing', 'nothing\0', '00000000-0000-7000-8000-000000000000'];
    for (const id of [body['id'], body['chatappMessageId'], ...unknown]) {
      const answer = await chatapp.call(`/chatapp/status?id=${encodeURIComponent(String(id))}`, { key: stranger.key });
      expect([answer.status, answer.body['code']]).toEqual([404, 'NOT_FOUND']);
    }
    expect((await chatapp.call('/chatapp/messages', { key: stranger.key })).body).toEqual({ messages: [] });
  });
});
