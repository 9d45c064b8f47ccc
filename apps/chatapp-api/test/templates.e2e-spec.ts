import { OpenApiCheck, unique, until } from '@heliograph/testing';
import { ChatappFixture, type ChatappTenant } from './chatapp-fixture';

describe('templates', () => {
  let chatapp: ChatappFixture;
  let tenant: ChatappTenant;
  let openapi: OpenApiCheck;
  beforeAll(async () => {
    chatapp = await ChatappFixture.start();
    tenant = await chatapp.tenant();
    openapi = await OpenApiCheck.read(chatapp.url);
  });
  afterEach(() => chatapp.provider.behaviours.reset());
  afterAll(() => chatapp.stop());

  const newName = () => `t_${unique()}`;
  const valid = (name: string, more: object = {}) => ({
    name,
    language: 'en_US',
    category: 'Utility',
    components: [{ type: 'body', text: 'Hello {{1}}, your order {{2}} has left us.' }],
    ...more,
  });
  const create = (body: unknown, { key = tenant.key, headers = {} as Record<string, string> } = {}) =>
    chatapp.post(key, '/chatapp/templates', body, headers);
  const sync = (key = tenant.key) => chatapp.call('/chatapp/templates/sync', { method: 'POST', key });
  const remove = (name: string, key = tenant.key) =>
    chatapp.call(`/chatapp/templates/${name}`, { method: 'DELETE', key });
  const list = async (key = tenant.key, query = '') =>
    (await chatapp.call(`/chatapp/templates${query}`, { key })).body['templates'] as Record<string, unknown>[];
  const listed = async (name: string, key = tenant.key) => (await list(key)).filter((one) => one['name'] === name);
  const upstream = (name: string) => chatapp.provider.templates().filter((template) => template.name === name);
  const calls = (method: string) =>
    chatapp.provider.requests().filter((one) => one.method === method && one.path.endsWith('/message_templates'));

  describe('the creation of a template', () => {
    it('adds samples for the placeholders in the format of the provider, and returns exactly the record', async () => {
      const name = newName();
      const answer = await create(valid(name));
      const components = [
        {
          type: 'BODY',
          text: 'Hello {{1}}, your order {{2}} has left us.',
          example: { body_text: [['sample 1', 'sample 2']] },
        },
      ];
      const [made] = upstream(name);
      expect(made).toMatchObject({ name, language: 'en_US', category: 'UTILITY', components });
      const record = {
        id: expect.any(String) as string,
        businessAccountId: chatapp.provider.account.businessAccountId,
        name,
        language: 'en_US',
        category: 'utility',
        status: 'PENDING',
        components,
      };
      expect([answer.status, answer.body]).toEqual([200, { ok: true, ...record, upstreamTemplateId: made?.id }]);
      expect(
        openapi.problems('POST', '/chatapp/templates', 200, answer.headers.get('content-type'), answer.body),
      ).toBeNull();
      expect(await listed(name)).toEqual([record]);
    });

    it('uses the texts of the provider for authentication in place of the texts of the caller', async () => {
      const name = newName();
      const components = [
        { type: 'BODY', text: '{{1}} is your code', add_security_recommendation: true },
        { type: 'FOOTER', text: 'It lasts a while', code_expiration_minutes: 5 },
      ];
      const answer = await create(valid(name, { category: 'AUTHENTICATION', components }));
      expect([answer.status, answer.body['category'], answer.body['components']]).toEqual([
        200,
        'authentication',
        [
          { type: 'BODY', add_security_recommendation: true },
          { type: 'FOOTER', code_expiration_minutes: 5 },
          { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
        ],
      ]);
    });

    it('passes carousels, offers, product buttons and message_send_ttl_seconds to the provider', async () => {
      const body = { type: 'BODY', text: 'Look at this' };
      const header = { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['handle'] } };
      const card = { components: [header, { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Buy' }] }] };
      for (const components of [
        [body, { type: 'CAROUSEL', cards: [card, card] }],
        [body, { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends soon' } }],
        [{ type: 'HEADER', format: 'PRODUCT' }, body, { type: 'BUTTONS', buttons: [{ type: 'SPM', text: 'View' }] }],
        [body, { type: 'BUTTONS', buttons: [{ type: 'CATALOG', text: 'View catalog' }] }],
        [body, { type: 'BUTTONS', buttons: [{ type: 'MPM', text: 'View items' }] }],
      ]) {
        const name = newName();
        const request = { ...valid(name), category: 'marketing', components, message_send_ttl_seconds: 86_400 };
        expect(await create(request)).toMatchObject({
          status: 200,
          body: { components, message_send_ttl_seconds: 86_400 },
        });
        expect(upstream(name)).toMatchObject([{ components }]);
        expect(calls('POST').at(-1)?.body).toMatchObject({ message_send_ttl_seconds: 86_400 });
      }
    });

    it('works under /api too, and makes no call to the provider for an invalid template', async () => {
      const before = calls('POST').length;
      const answer = await chatapp.post(tenant.key, '/api/chatapp/templates', valid('Not A Name'));
      expect([answer.status, answer.body['code']]).toEqual([400, 'INVALID_REQUEST']);
      const category = await create(valid(newName(), { category: 'service' }));
      expect([category.status, category.body['code']]).toEqual([400, 'INVALID_CATEGORY']);
      for (const body of ['{', '[]', '"x"']) expect((await create(body)).body['code']).toBe('INVALID_REQUEST');
      expect(calls('POST')).toHaveLength(before);
    });

    it('succeeds once per language, in any number of languages', async () => {
      const name = newName();
      expect((await create(valid(name))).status).toBe(200);
      const again = await create(valid(name));
      expect([again.status, again.body['code']]).toEqual([400, 'CHATAPP_REQUEST_INVALID']);
      expect((await create(valid(name, { language: 'hi' }))).status).toBe(200);
      expect((await listed(name)).map((one) => one['language'])).toEqual(['en_US', 'hi']);
    });

    it('rejects the name of a template of another organization in every language, without a call to the provider', async () => {
      const name = newName();
      await create(valid(name));
      const other = await chatapp.tenant();
      const before = calls('POST').length;
      const answer = await create(valid(name, { language: 'fr' }), { key: other.key });
      expect([answer.status, answer.body['code']]).toEqual([400, 'CHATAPP_REQUEST_INVALID']);
      expect(answer.body['message']).toMatch(/in use/);
      expect(calls('POST')).toHaveLength(before);
    });

    it('rejects a name that exists only at the provider', async () => {
      const name = newName();
      chatapp.provider.reviewTemplate(name, { status: 'APPROVED', language: 'en_US' });
      const answer = await create(valid(name));
      expect([answer.status, answer.body['code']]).toEqual([400, 'CHATAPP_REQUEST_INVALID']);
      expect(await listed(name)).toEqual([]);
      await sync();
      expect((await create(valid(name, { language: 'de' }))).body['code']).toBe('CHATAPP_REQUEST_INVALID');
      expect(upstream(name)).toHaveLength(1);
    });

    it('succeeds for one organization when two organizations request a name concurrently', async () => {
      const name = newName();
      const other = await chatapp.tenant();
      chatapp.provider.behave({ delayMs: 100 });
      const answers = await Promise.all([
        create(valid(name)),
        create(valid(name, { language: 'de' }), { key: other.key }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      expect(upstream(name)).toHaveLength(1);
    });

    it.each([
      ['a rate limit', { status: 400, code: 80007 }, 429, 'CHATAPP_RATE_LIMITED'],
      ['an expired token', { status: 401, code: 190 }, 502, 'CHATAPP_UPSTREAM'],
      ['an internal error', { status: 500, code: 1 }, 502, 'CHATAPP_UPSTREAM'],
      ['a rejection', { status: 400, code: 132000 }, 400, 'CHATAPP_REQUEST_INVALID'],
    ])('stores nothing after %s', async (_, error, status, code) => {
      const name = newName();
      chatapp.provider.behave({ error });
      const answer = await create(valid(name));
      expect([answer.status, answer.body['code']]).toEqual([status, code]);
      if (status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await listed(name)).toEqual([]);
      chatapp.provider.behaviours.reset();
      expect((await create(valid(name))).status).toBe(200);
    });

    it('is completed by a repeated call when the response of the provider was lost', async () => {
      const name = newName();
      const headers = { 'Idempotency-Key': unique() };
      chatapp.provider.behave({ answerLost: true });
      const lost = await create(valid(name), { headers });
      expect([lost.status, lost.body['code']]).toEqual([502, 'CHATAPP_UPSTREAM']);
      expect(upstream(name)).toHaveLength(1);
      chatapp.provider.behaviours.reset();
      const other = await chatapp.tenant();
      expect((await create(valid(name), { key: other.key })).body['code']).toBe('CHATAPP_REQUEST_INVALID');
      const answer = await create(valid(name), { headers });
      expect([answer.status, answer.body['upstreamTemplateId']]).toEqual([200, upstream(name)[0]?.id]);
    });

    it('is completed by a sync, for the same organization', async () => {
      const name = newName();
      chatapp.provider.behave({ answerLost: true });
      expect((await create(valid(name))).status).toBe(502);
      chatapp.provider.behaviours.reset();
      await sync();
      const other = await chatapp.tenant();
      expect(await listed(name, other.key)).toEqual([]);
      expect(await listed(name)).toMatchObject([{ status: 'PENDING' }]);
      expect((await remove(name)).status).toBe(200);
    });

    it('is executed once per Idempotency-Key', async () => {
      const name = newName();
      const headers = { 'Idempotency-Key': unique() };
      const first = await create(valid(name), { headers });
      const second = await create(valid(name), { headers });
      expect([second.status, second.body, second.headers.get('idempotent-replayed')]).toEqual([
        200,
        first.body,
        'true',
      ]);
      const reused = await create(valid(newName()), { headers });
      expect([reused.status, reused.body['code']]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
      expect(upstream(name)).toHaveLength(1);
    });
  });

  describe('the list of templates', () => {
    it('contains own and shared templates, can be filtered by status, and contains no template of another organization', async () => {
      const [own, sharedName] = [newName(), newName()];
      await create(valid(own));
      chatapp.provider.reviewTemplate(sharedName, { status: 'APPROVED', language: 'en_US' });
      await sync();
      const other = await chatapp.tenant();
      const names = async (query: string, key = tenant.key) =>
        (await list(key, query)).map((one) => one['name']).filter((name) => name === own || name === sharedName);
      expect((await names('')).sort()).toEqual([own, sharedName].sort());
      expect(await names('?approved=true')).toEqual([sharedName]);
      expect(await names('?status=pending')).toEqual([own]);
      expect(await names('?status=REJECTED')).toEqual([]);
      expect(await names('', other.key)).toEqual([sharedName]);
    });

    it.each([
      '?approved=maybe',
      '?status=A&status=B',
      '?approved=true&approved=true',
      '?approved=true&status=PENDING',
      '?status=%00',
    ])('returns 400 INVALID_REQUEST for %s', async (query) => {
      const { status, body } = await chatapp.call(`/chatapp/templates${query}`, { key: tenant.key });
      expect([status, body['code']]).toEqual([400, 'INVALID_REQUEST']);
    });
  });

  describe('the sync of templates', () => {
    it('returns consistent counts: inserted, then unchanged, then updated, then deleted', async () => {
      await sync();
      const names = [newName(), newName(), newName()];
      for (const name of names) chatapp.provider.reviewTemplate(name, { status: 'PENDING', language: 'en_US' });
      const first = await sync();
      expect(first.body).toMatchObject({ ok: true, inserted: 3, updated: 0 });
      expect(Object.keys(first.body).sort()).toEqual(['fetched', 'inserted', 'ok', 'skipped', 'updated']);
      const total = Number(first.body['fetched']);
      expect(total).toBe(3 + Number(first.body['skipped']));
      chatapp.provider.reviewTemplate(names[0]!, { status: 'APPROVED' });
      expect((await sync()).body).toEqual({ ok: true, fetched: total, inserted: 0, updated: 1, skipped: total - 1 });
      expect(await listed(names[0]!)).toMatchObject([{ status: 'APPROVED' }]);
      await fetch(
        `${chatapp.provider.url}/v21.0/${chatapp.provider.account.businessAccountId}/message_templates?name=${names[1]}`,
        {
          method: 'DELETE',
          headers: { authorization: `Bearer ${chatapp.provider.account.accessToken}` },
        },
      );
      expect((await sync()).body).toEqual({
        ok: true,
        fetched: total - 1,
        inserted: 0,
        updated: 0,
        skipped: total - 1,
      });
      expect(await listed(names[1]!)).toEqual([]);
    });

    it('reads many pages', async () => {
      const before = Number((await sync()).body['fetched']);
      for (let n = 0; n < 230; n++)
        chatapp.provider.reviewTemplate(`bulk_${n}`, { status: 'APPROVED', language: 'en' });
      expect((await sync()).body).toMatchObject({ fetched: before + 230, inserted: 230 });
    });

    it('stores message_send_ttl_seconds unchanged from the provider', async () => {
      const name = newName();
      const ttl = async () => (await listed(name)).map((one) => one['message_send_ttl_seconds']);
      await create(valid(name, { message_send_ttl_seconds: 600 }));
      chatapp.provider.reviewTemplate(name, { status: 'APPROVED' });
      await sync();
      expect(await ttl()).toEqual([600]);
      await chatapp.rows(
        'UPDATE chatapp.templates SET message_send_ttl_seconds = 30, seen_at = now() WHERE name = $1',
        [name],
      );
      await sync();
      expect(await ttl()).toEqual([600]);
      chatapp.provider.reviewTemplate(name, { status: 'APPROVED', category: 'MARKETING' });
      await sync();
      expect(await ttl()).toEqual([undefined]);
    });

    it('does not change the owner of a template with a new status or a new language', async () => {
      const name = newName();
      const { body } = await create(valid(name));
      chatapp.provider.reviewTemplate(name, { status: 'REJECTED' });
      chatapp.provider.reviewTemplate(name, { status: 'APPROVED', language: 'pt_BR', category: 'MARKETING' });
      await sync();
      expect(await listed(name)).toMatchObject([
        { id: body['id'], language: 'en_US', status: 'REJECTED' },
        { language: 'pt_BR', status: 'APPROVED', category: 'marketing' },
      ]);
      const other = await chatapp.tenant();
      expect(await listed(name, other.key)).toEqual([]);
    });

    it('has no effect on existing templates when many run concurrently in two processes', async () => {
      const beside = await chatapp.beside();
      try {
        const name = newName();
        await create(valid(name));
        const answers = await Promise.all([
          sync(),
          sync(),
          sync(),
          beside.call('/chatapp/templates/sync', { method: 'POST', key: tenant.key }),
        ]);
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
        for (const { body } of answers) {
          expect(body['fetched']).toBe(Number(body['inserted']) + Number(body['updated']) + Number(body['skipped']));
        }
        expect(await listed(name)).toHaveLength(1);
        const other = await chatapp.tenant();
        expect(await listed(name, other.key)).toEqual([]);
      } finally {
        await beside.service.stop();
      }
    });

    it('is executed once per Idempotency-Key', async () => {
      const options = { method: 'POST', key: tenant.key, headers: { 'Idempotency-Key': unique() } };
      const first = await chatapp.call('/chatapp/templates/sync', options);
      chatapp.provider.reviewTemplate(newName(), { status: 'APPROVED', language: 'en' });
      const second = await chatapp.call('/api/chatapp/templates/sync', options);
      expect([second.body, second.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
    });

    it('changes nothing when the provider fails during the sync', async () => {
      const name = newName();
      await create(valid(name));
      chatapp.provider.behave({ error: { status: 503, code: 2 } });
      const answer = await sync();
      expect([answer.status, answer.body['code']]).toEqual([502, 'CHATAPP_UPSTREAM']);
      expect(await listed(name)).toHaveLength(1);
    });
  });

  describe('the deletion of a template', () => {
    it('deletes all languages in the catalog and at the provider', async () => {
      const name = newName();
      await create(valid(name));
      await create(valid(name, { language: 'de' }));
      const answer = await remove(name);
      expect([answer.status, answer.body]).toEqual([200, { ok: true, name }]);
      expect([await listed(name), upstream(name)]).toEqual([[], []]);
      const again = await remove(name);
      expect([again.status, again.body['code']]).toEqual([404, 'NOT_FOUND']);
    });

    it('succeeds when the provider has already deleted the template', async () => {
      const name = newName();
      await create(valid(name));
      chatapp.provider.behave({ answerLost: true });
      expect((await remove(name)).status).toBe(502);
      chatapp.provider.behaviours.reset();
      expect(upstream(name)).toEqual([]);
      expect((await remove(name)).body).toEqual({ ok: true, name });
    });

    it('returns 403 for a shared template, and 404 for an unknown template and for a template of another organization', async () => {
      const [sharedName, foreign] = [newName(), newName()];
      chatapp.provider.reviewTemplate(sharedName, { status: 'APPROVED', language: 'en' });
      await sync();
      const other = await chatapp.tenant();
      await create(valid(foreign), { key: other.key });
      const before = calls('DELETE').length;
      const refused = await remove(sharedName);
      expect([refused.status, refused.body['code']]).toEqual([403, 'FORBIDDEN']);
      const [theirs, unknown, odd] = [await remove(foreign), await remove(newName()), await remove('Odd%20Name')];
      expect([theirs.status, unknown.status, odd.status]).toEqual([404, 404, 404]);
      expect(theirs.body).toEqual(unknown.body);
      expect(calls('DELETE')).toHaveLength(before);
    });
  });

  it('the template routes require a key with the scope chatapp:read to list and chatapp:send to change', async () => {
    const routes: [string, string, string][] = [
      ['GET', '/chatapp/templates', 'chatapp:read'],
      ['POST', '/chatapp/templates', 'chatapp:send'],
      ['POST', '/chatapp/templates/sync', 'chatapp:send'],
      ['DELETE', '/chatapp/templates/x', 'chatapp:send'],
    ];
    for (const [method, path, scope] of routes) {
      expect((await chatapp.call(path, { method })).status).toBe(401);
      const wrong = scope === 'chatapp:read' ? 'chatapp:send' : 'chatapp:read';
      const { key } = await chatapp.tenant({ key: { scopes: [wrong] } });
      expect((await chatapp.call(path, { method, key })).body['code']).toBe('FORBIDDEN');
    }
  });
});

describe('a template that is deleted while a sync reads the catalog', () => {
  let chatapp: ChatappFixture;
  beforeAll(async () => {
    chatapp = await ChatappFixture.start();
  });
  afterAll(() => chatapp.stop());

  it('has no owner afterwards, although the sync has read it', async () => {
    const { key } = await chatapp.tenant();
    const components = [{ type: 'BODY', text: 'Hello there' }];
    await chatapp.post(key, '/chatapp/templates', { name: 'early', language: 'en', category: 'utility', components });
    for (let n = 0; n < 250; n++) chatapp.provider.reviewTemplate(`b_${n}`, { status: 'APPROVED', language: 'en' });
    chatapp.provider.behave({ delayMs: 250 });
    const pages = () => chatapp.provider.requests().filter(({ method }) => method === 'GET').length;
    const sync = chatapp.call('/chatapp/templates/sync', { method: 'POST', key });
    // The first page, which contains the template, has been read.
    await until('the sync requests the second page', () => pages() === 2);
    const removed = await chatapp.call('/chatapp/templates/early', { method: 'DELETE', key });
    expect([removed.status, pages() <= 3]).toEqual([200, true]);
    expect((await sync).body).toMatchObject({ fetched: 251, inserted: 250, updated: 0 });
    expect(await chatapp.rows(`SELECT id FROM chatapp.templates WHERE name = 'early'`)).toEqual([]);
  });
});

describe('templates without a configured provider', () => {
  let chatapp: ChatappFixture;
  beforeAll(async () => {
    chatapp = await ChatappFixture.start({ environment: { CHATAPP_ACCESS_TOKEN: '' } });
  });
  afterAll(() => chatapp.stop());

  it('can be listed, while all other routes return 503 CHATAPP_NOT_CONFIGURED', async () => {
    const { key } = await chatapp.tenant();
    const list = await chatapp.call('/chatapp/templates', { key });
    expect([list.status, list.body]).toEqual([200, { templates: [] }]);
    for (const [method, path] of [
      ['POST', '/chatapp/templates'],
      ['POST', '/chatapp/templates/sync'],
      ['DELETE', '/chatapp/templates/x'],
      ['POST', '/chatapp/media'],
      ['GET', '/chatapp/media/1'],
    ] as const) {
      const { status, body } = await chatapp.call(path, { method, key });
      expect([status, body['code']]).toEqual([503, 'CHATAPP_NOT_CONFIGURED']);
    }
    expect(chatapp.provider.requests()).toEqual([]);
  });

  it.each(['/chatapp/templates', '/chatapp/templates/sync'])(
    'are refused before the Idempotency-Key is checked by POST %s',
    async (path) => {
      const { key } = await chatapp.tenant();
      const { status, body } = await chatapp.post(key, path, {}, { 'Idempotency-Key': '""' });
      expect([status, body['code']]).toEqual([503, 'CHATAPP_NOT_CONFIGURED']);
    },
  );
});
