import { findBrokenEntries, reconcile } from '@heliograph/credits';
import { poolOf } from '@heliograph/database';
import { until } from '@heliograph/testing';
import { ChatappFixture, newNumber, type ChatappTenant } from './chatapp-fixture';

describe('what the platform or the rules refuse', () => {
  let chatapp: ChatappFixture;
  let tenant: ChatappTenant;
  beforeAll(async () => {
    chatapp = await ChatappFixture.start();
    tenant = await chatapp.tenant({ credits: 100_000 });
  });
  afterEach(() => chatapp.platform.behaviours.reset());
  afterAll(async () => {
    const pool = poolOf(chatapp.tenants.dataSource);
    expect([...(await reconcile(pool)), ...(await findBrokenEntries(pool))]).toEqual([]);
    await chatapp.stop();
  });

  const templateTo = (to: string, name: string, more: object = {}) =>
    chatapp.send(tenant, { to, type: 'template', template: { name }, ...more });
  const rowsTo = (to: string) =>
    chatapp.rows<Record<string, unknown>>(
      'SELECT id, status, error, is_charged, upstream_id FROM chatapp.messages WHERE recipient = $1 ORDER BY id',
      [to],
    );

  it('a text outside the window: 400 CHATAPP_REQUEST_INVALID that names it, nothing stored, nothing asked', async () => {
    const to = newNumber();
    for (const at of [null, new Date(Date.now() - 24 * 3_600_000 - 60_000)]) {
      if (at) await chatapp.inbound(to, { at });
      const answer = await chatapp.send(tenant, { to, text: 'Hi' });
      expect([answer.status, answer.body['code']]).toEqual([400, 'CHATAPP_REQUEST_INVALID']);
      expect(answer.body['message']).toMatch(/24-hour window/);
    }
    expect(chatapp.platform.requests(to)).toEqual([]);
  });

  it('somebody who has opted out: 409 RECIPIENT_OPTED_OUT, before the window, for this organization alone', async () => {
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

  it('a workspace without the credits: 402 INSUFFICIENT_CREDITS, with both figures', async () => {
    const poor = await chatapp.tenant({ credits: 99 });
    const to = newNumber();
    const name = await chatapp.template(null);
    const answer = await chatapp.send(poor, { to, type: 'template', template: { name } });
    expect([answer.status, answer.body['code']]).toEqual([402, 'INSUFFICIENT_CREDITS']);
    expect(answer.body['message']).toMatch(/100.*99/);
    expect(chatapp.platform.requests(to)).toEqual([]);
    expect(await rowsTo(to)).toEqual([]);
  });

  it('no active workspace: 409 NO_WORKSPACE', async () => {
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

  it('an unknown template: 400, charged and refunded in the same breath, kept as failed with the title', async () => {
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

  it('a template of another organization: 400, and the platform is not asked', async () => {
    const other = await chatapp.tenant();
    const name = await chatapp.template(other.organizationId);
    const to = newNumber();
    const answer = await templateTo(to, name);
    expect([answer.status, answer.body['code']]).toEqual([400, 'CHATAPP_REQUEST_INVALID']);
    expect(chatapp.platform.requests(to)).toEqual([]);
    expect((await chatapp.send(other, { to, type: 'template', template: { name } })).status).toBe(200);
  });

  it('bills a template as what it is mirrored as, else as the call says, else as marketing', async () => {
    const mirrored = await chatapp.template(null, { category: 'utility' });
    chatapp.platform.reviewTemplate('not_mirrored', { status: 'APPROVED' });
    const category = async (name: string, more: object = {}) =>
      (await templateTo(newNumber(), name, more)).body['category'];
    expect(await category(mirrored, { category: 'marketing' })).toBe('utility');
    expect(await category('not_mirrored', { category: 'authentication' })).toBe('authentication');
    expect(await category('not_mirrored')).toBe('marketing');
  });

  it('gives utility away in an open window, and never marketing or authentication', async () => {
    const open = await chatapp.openNumber();
    const name = async (category: 'marketing' | 'utility' | 'authentication') => chatapp.template(null, { category });
    const utility = await name('utility');
    expect((await templateTo(open, utility)).body).toMatchObject({ free: true, price: 0, charged: false });
    expect((await templateTo(newNumber(), utility)).body).toMatchObject({ free: false, price: 15, charged: true });
    expect((await templateTo(open, await name('marketing'))).body).toMatchObject({ free: false, charged: true });
    expect((await templateTo(open, await name('authentication'))).body).toMatchObject({ free: false, charged: true });
  });

  it('charges the 1,001st service message of the month, and the first 1,000 not', async () => {
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

  describe.each<[string, object, number, string]>([
    ['a rate limit, whatever its HTTP status', { status: 400, code: 130429 }, 429, 'CHATAPP_RATE_LIMITED'],
    ['too much to one number', { status: 400, code: 131056 }, 429, 'CHATAPP_RATE_LIMITED'],
    ['a 429 without a code', { status: 429, code: 99 }, 429, 'CHATAPP_RATE_LIMITED'],
    ['an expired token', { status: 401, code: 190 }, 502, 'CHATAPP_UPSTREAM'],
    ['a missing permission', { status: 403, code: 10 }, 502, 'CHATAPP_UPSTREAM'],
    ['an error of its own', { status: 500, code: 1 }, 502, 'CHATAPP_UPSTREAM'],
    ['a refusal of the request', { status: 400, code: 131009 }, 400, 'CHATAPP_REQUEST_INVALID'],
    ['a closed window', { status: 400, code: 131047 }, 400, 'CHATAPP_REQUEST_INVALID'],
  ])('%s', (_, error, status, code) => {
    it(`is ${status} ${code}, refunded`, async () => {
      const to = newNumber();
      const name = await chatapp.template(null);
      const before = await chatapp.balance(tenant.workspaceId);
      chatapp.platform.behave({ error: { ...error, message: 'The words of the platform' } as never }, to);
      const answer = await templateTo(to, name);
      expect([answer.status, answer.body['code']]).toEqual([status, code]);
      expect(Number(answer.headers.get('retry-after')) > 0).toBe(status === 429);
      expect(await chatapp.balance(tenant.workspaceId)).toBe(before);
      expect(await rowsTo(to)).toEqual([
        expect.objectContaining({ status: 'failed', error: 'The words of the platform', is_charged: false }),
      ]);
      expect(answer.text).not.toContain(chatapp.platform.account.accessToken);
    });
  });

  it('no connection at all: 502 CHATAPP_UPSTREAM, refunded, and healed as soon as there is one', async () => {
    const to = newNumber();
    const name = await chatapp.template(null);
    const before = await chatapp.balance(tenant.workspaceId);
    chatapp.platform.behave({ unreachable: true });
    const answer = await templateTo(to, name);
    expect([answer.status, answer.body['code']]).toEqual([502, 'CHATAPP_UPSTREAM']);
    expect(await chatapp.balance(tenant.workspaceId)).toBe(before);
    chatapp.platform.behaviours.reset();
    expect((await templateTo(to, name)).status).toBe(200);
  });

  it('an answer that takes too long: 502, refunded; charged after all when a status proves that it went out', async () => {
    const to = newNumber();
    const name = await chatapp.template(null);
    const before = await chatapp.balance(tenant.workspaceId);
    chatapp.platform.behave({ answerLost: true }, to);
    const answer = await templateTo(to, name);
    expect([answer.status, answer.body['code']]).toEqual([502, 'CHATAPP_UPSTREAM']);
    expect(await chatapp.balance(tenant.workspaceId)).toBe(before);
    const [message] = chatapp.platform.messages(to);
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

  it('opts in who was written to, and says so in the list of consents', async () => {
    const to = await chatapp.openNumber();
    await chatapp.send(tenant, { to, text: 'Hi' });
    const { body } = await chatapp.call('/chatapp/consents', { key: tenant.key });
    const consents = body['consents'] as Record<string, unknown>[];
    expect(consents.find(({ number }) => number === to)).toMatchObject({ status: 'opted_in', source: 'send' });
  });

  it('settles what a process has left behind, after the time that is set', async () => {
    const own = await chatapp.beside({ CHATAPP_SETTLE_AFTER_MS: '1000' });
    const to = newNumber();
    const before = await chatapp.balance(tenant.workspaceId);
    const name = await chatapp.template(null);
    const sent = await templateTo(to, name);
    // As if the process had died before the answer was stored.
    await chatapp.rows('UPDATE chatapp.messages SET upstream_id = NULL WHERE id = $1', [sent.body['id']]);
    await until('it is settled', async () => (await rowsTo(to))[0]?.['status'] === 'failed', { timeoutMs: 30_000 });
    expect(await chatapp.balance(tenant.workspaceId)).toBe(before);
    await own.service.stop();
  });
});
