import { findBrokenEntries, reconcile } from '@heliograph/credits';
import { poolOf } from '@heliograph/database';
import { until } from '@heliograph/testing';
import { ChatappFixture, newNumber, type ChatappTenant } from './chatapp-fixture';

describe('a send', () => {
  let chatapp: ChatappFixture;
  let tenant: ChatappTenant;
  beforeAll(async () => {
    chatapp = await ChatappFixture.shared();
    tenant = await chatapp.tenant({ credits: 100_000 });
  });
  afterEach(() => chatapp.provider.behaviours.reset());
  afterAll(async () => {
    const pool = poolOf(chatapp.tenants.dataSource);
    expect([...(await reconcile(pool)), ...(await findBrokenEntries(pool))]).toEqual([]);
  });

  const templateTo = (to: string, name: string, more: object = {}) =>
    chatapp.send(tenant, { to, type: 'template', template: { name }, ...more });
  const rowsTo = (to: string) =>
    chatapp.rows<Record<string, unknown>>(
      'SELECT id, status, error, is_charged, upstream_id FROM chatapp.messages WHERE recipient = $1 ORDER BY id',
      [to],
    );

  it('of a text outside the window returns 400 CHATAPP_REQUEST_INVALID with the reason, without a record or a call', async () => {
    const to = newNumber();
    for (const at of [null, new Date(Date.now() - 24 * 3_600_000 - 60_000)]) {
      if (at) await chatapp.inbound(to, { at });
      const answer = await chatapp.send(tenant, { to, text: 'Hi' });
      expect([answer.status, answer.body['code']]).toEqual([400, 'CHATAPP_REQUEST_INVALID']);
      expect(answer.body['message']).toMatch(/24-hour window/);
    }
    expect(chatapp.provider.requests(to)).toEqual([]);
  });

  it('to an opted-out number returns 409 RECIPIENT_OPTED_OUT before the window check, for this organization only', async () => {
    const to = newNumber();
    await chatapp.consent(tenant.organizationId, to, 'opted_out');
    const text = await chatapp.send(tenant, { to, text: 'Hi' });
    expect([text.status, text.body['code']]).toEqual([409, 'RECIPIENT_OPTED_OUT']);
    const name = await chatapp.template(null);
    expect((await templateTo(to, name)).body['code']).toBe('RECIPIENT_OPTED_OUT');
    const other = await chatapp.tenant();
    expect((await chatapp.send(other, { to, type: 'template', template: { name } })).status).toBe(200);
    await chatapp.consent(tenant.organizationId, to, 'opted_in');
    expect((await templateTo(to, name)).status).toBe(200);
  });

  it('from a workspace with insufficient credits returns 402 INSUFFICIENT_CREDITS with both amounts', async () => {
    const poor = await chatapp.tenant({ credits: 99 });
    const to = newNumber();
    const name = await chatapp.template(null);
    const answer = await chatapp.send(poor, { to, type: 'template', template: { name } });
    expect([answer.status, answer.body['code']]).toEqual([402, 'INSUFFICIENT_CREDITS']);
    expect(answer.body['message']).toMatch(/100.*99/);
    expect(chatapp.provider.requests(to)).toEqual([]);
    expect(await rowsTo(to)).toEqual([]);
  });

  it('without an active workspace returns 409 NO_WORKSPACE', async () => {
    const organization = await chatapp.tenants.organization();
    const key = await chatapp.tenants.key(organization.id);
    const to = await chatapp.openNumber();
    const calls = [
      await chatapp.post(key, '/chatapp/send', { to, text: 'Hi' }),
      await chatapp.call('/chatapp/balance', { key }),
      await chatapp.call('/chatapp/account', { key }),
    ];
    expect(calls.map(({ status, body }) => [status, body['code']])).toEqual(Array(3).fill([409, 'NO_WORKSPACE']));
  });

  it('of an unknown template returns 400, is charged and refunded, and is stored as failed with the title', async () => {
    const to = newNumber();
    const before = await chatapp.balance(tenant.workspaceId);
    const answer = await templateTo(to, 'nobody_knows_it');
    expect([answer.status, answer.body['code']]).toEqual([400, 'CHATAPP_REQUEST_INVALID']);
    expect(await chatapp.balance(tenant.workspaceId)).toBe(before);
    const [row] = await rowsTo(to);
    const status = await chatapp.call(`/chatapp/status?id=${String(row?.['id'])}`, { key: tenant.key });
    expect(status.body).toMatchObject({
      status: 'failed',
      chatappMessageId: null,
      creditsCharged: false,
      category: 'marketing',
      error: expect.stringMatching(/emplate/) as string,
    });
    expect(status.body['failedAt']).not.toBeNull();
  });

  it('of a template of another organization returns 400, without a call to the provider', async () => {
    const other = await chatapp.tenant();
    const name = await chatapp.template(other.organizationId);
    const to = newNumber();
    const answer = await templateTo(to, name);
    expect([answer.status, answer.body['code']]).toEqual([400, 'CHATAPP_REQUEST_INVALID']);
    expect(chatapp.provider.requests(to)).toEqual([]);
    expect((await chatapp.send(other, { to, type: 'template', template: { name } })).status).toBe(200);
  });

  it('of a template is charged by its mirrored category, otherwise by the category of the call, and otherwise as marketing', async () => {
    const mirrored = await chatapp.template(null, { category: 'utility' });
    chatapp.provider.reviewTemplate('not_mirrored', { status: 'APPROVED' });
    const category = async (name: string, more: object = {}) =>
      (await templateTo(newNumber(), name, more)).body['category'];
    expect(await category(mirrored, { category: 'marketing' })).toBe('utility');
    expect(await category('not_mirrored', { category: 'authentication' })).toBe('authentication');
    expect(await category('not_mirrored')).toBe('marketing');
  });

  it('of a utility template is free in an open window, but not of a marketing or authentication template', async () => {
    const open = await chatapp.openNumber();
    const name = async (category: 'marketing' | 'utility' | 'authentication') => chatapp.template(null, { category });
    const utility = await name('utility');
    expect((await templateTo(open, utility)).body).toMatchObject({ free: true, price: 0, charged: false });
    expect((await templateTo(newNumber(), utility)).body).toMatchObject({ free: false, price: 15, charged: true });
    expect((await templateTo(open, await name('marketing'))).body).toMatchObject({ free: false, charged: true });
    expect((await templateTo(open, await name('authentication'))).body).toMatchObject({ free: false, charged: true });
  });

  it('is charged for the 1,001st service message of the month, but not for the first 1,000', async () => {
    const own = await chatapp.tenant({ credits: 100 });
    const to = await chatapp.openNumber();
    const month = `${new Date().toISOString().slice(0, 7)}-01`;
    await chatapp.rows(
      `INSERT INTO chatapp.allowance_uses (workspace_id, category, month, used) VALUES ($1, 'service', $2, 990)`,
      [own.workspaceId, month],
    );
    const answers = await Promise.all(Array.from({ length: 12 }, () => chatapp.send(own, { to, text: 'Hi' })));
    expect(answers.filter(({ body }) => body['free'] === true)).toHaveLength(10);
    expect(answers.filter(({ body }) => body['charged'] === true && body['price'] === 40)).toHaveLength(2);
    expect(await chatapp.balance(own.workspaceId)).toBe(20);
  });

  it('is limited by the provider only: 60 concurrent messages to one number are sent', async () => {
    const to = await chatapp.openNumber();
    const answers = await Promise.all(Array.from({ length: 60 }, () => chatapp.send(tenant, { to, text: 'Hi' })));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 60 }, () => 200));
    expect(chatapp.provider.requests(to)).toHaveLength(60);
  });

  describe.each<[string, object, number, string]>([
    ['a rate limit with any HTTP status', { status: 400, code: 130429 }, 429, 'CHATAPP_RATE_LIMITED'],
    ['too many messages to one number', { status: 400, code: 131056 }, 429, 'CHATAPP_RATE_LIMITED'],
    ['a 429 without a code', { status: 429, code: 99 }, 429, 'CHATAPP_RATE_LIMITED'],
    ['an expired token', { status: 401, code: 190 }, 502, 'CHATAPP_UPSTREAM'],
    ['a missing permission', { status: 403, code: 10 }, 502, 'CHATAPP_UPSTREAM'],
    ['an internal error', { status: 500, code: 1 }, 502, 'CHATAPP_UPSTREAM'],
    ['a rejection of the request', { status: 400, code: 131009 }, 400, 'CHATAPP_REQUEST_INVALID'],
    ['a closed window', { status: 400, code: 131047 }, 400, 'CHATAPP_REQUEST_INVALID'],
  ])('with %s', (_, error, status, code) => {
    it(`returns ${status} ${code} and is refunded`, async () => {
      const to = newNumber();
      const name = await chatapp.template(null);
      const before = await chatapp.balance(tenant.workspaceId);
      chatapp.provider.behave({ error: { ...error, message: 'The explanation of the provider' } as never }, to);
      const answer = await templateTo(to, name);
      expect([answer.status, answer.body['code']]).toEqual([status, code]);
      expect(Number(answer.headers.get('retry-after')) > 0).toBe(status === 429);
      expect(await chatapp.balance(tenant.workspaceId)).toBe(before);
      expect(await rowsTo(to)).toEqual([
        expect.objectContaining({ status: 'failed', error: 'The explanation of the provider', is_charged: false }),
      ]);
      expect(answer.text).not.toContain(chatapp.provider.account.accessToken);
    });
  });

  it('without a connection returns 502 CHATAPP_UPSTREAM, is refunded, and succeeds when the provider is available again', async () => {
    const to = newNumber();
    const name = await chatapp.template(null);
    const before = await chatapp.balance(tenant.workspaceId);
    chatapp.provider.behave({ unreachable: true });
    const answer = await templateTo(to, name);
    expect([answer.status, answer.body['code']]).toEqual([502, 'CHATAPP_UPSTREAM']);
    expect(await chatapp.balance(tenant.workspaceId)).toBe(before);
    chatapp.provider.behaviours.reset();
    expect((await templateTo(to, name)).status).toBe(200);
  });

  it('with a late response returns 502 and is refunded, and is charged again when a status proves that it was sent', async () => {
    const to = newNumber();
    const name = await chatapp.template(null);
    const before = await chatapp.balance(tenant.workspaceId);
    chatapp.provider.behave({ answerLost: true }, to);
    const answer = await templateTo(to, name);
    expect([answer.status, answer.body['code']]).toEqual([502, 'CHATAPP_UPSTREAM']);
    expect(await chatapp.balance(tenant.workspaceId)).toBe(before);
    const [message] = chatapp.provider.messages(to);
    await chatapp.status(message?.id ?? '', 'sent', message?.callbackData ?? '');
    expect(await chatapp.balance(tenant.workspaceId)).toBe(before - 100);
    const status = await chatapp.call(`/chatapp/status?id=${message?.callbackData}`, { key: tenant.key });
    expect(status.body).toMatchObject({
      status: 'sent',
      chatappMessageId: message?.id,
      creditsCharged: true,
      error: null,
      failedAt: null,
    });
  });

  it('opts in the recipient, and the consent is listed', async () => {
    const to = await chatapp.openNumber();
    await chatapp.send(tenant, { to, text: 'Hi' });
    const { body } = await chatapp.call('/chatapp/consents', { key: tenant.key });
    const consents = body['consents'] as Record<string, unknown>[];
    expect(consents.find(({ number }) => number === to)).toMatchObject({ status: 'opted_in', source: 'send' });
  });

  it('of a crashed process is settled after the configured time', async () => {
    const own = await chatapp.beside({ CHATAPP_SETTLE_AFTER_MS: '1000' });
    const to = newNumber();
    const before = await chatapp.balance(tenant.workspaceId);
    const name = await chatapp.template(null);
    const sent = await templateTo(to, name);
    // Simulates a process that crashed before it stored the response.
    await chatapp.rows('UPDATE chatapp.messages SET upstream_id = NULL WHERE id = $1', [sent.body['id']]);
    await until('the send is settled', async () => (await rowsTo(to))[0]?.['status'] === 'failed', {
      timeoutMs: 30_000,
    });
    expect(await chatapp.balance(tenant.workspaceId)).toBe(before);
    await own.service.stop();
  });
});
