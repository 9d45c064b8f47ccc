import { OpenApiCheck, unique } from '@heliograph/testing';
import { ChatappFixture, type ChatappTenant } from './chatapp-fixture';
import { TemplateCalls } from './template-calls';

describe('templates', () => {
  let templates: TemplateCalls;
  let chatapp: ChatappFixture;
  let tenant: ChatappTenant;
  let openapi: OpenApiCheck;
  beforeAll(async () => {
    templates = await TemplateCalls.start();
    ({ chatapp, tenant } = templates);
    openapi = await OpenApiCheck.read(chatapp.url);
  });
  afterEach(() => chatapp.provider.behaviours.reset());
  afterAll(() => chatapp.stop());

  describe('the creation of a template', () => {
    it('adds samples for the placeholders in the format of the provider, and returns exactly the record', async () => {
      const name = templates.newName();
      const answer = await templates.create(templates.valid(name));
      const components = [
        {
          type: 'BODY',
          text: 'Hello {{1}}, your order {{2}} has left us.',
          example: { body_text: [['sample 1', 'sample 2']] },
        },
      ];
      const [made] = templates.upstream(name);
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
      expect(await templates.listed(name)).toEqual([record]);
    });

    it('uses the texts of the provider for authentication in place of the texts of the caller', async () => {
      const name = templates.newName();
      const components = [
        { type: 'BODY', text: '{{1}} is your code', add_security_recommendation: true },
        { type: 'FOOTER', text: 'It lasts a while', code_expiration_minutes: 5 },
      ];
      const answer = await templates.create(templates.valid(name, { category: 'AUTHENTICATION', components }));
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
        const name = templates.newName();
        const request = {
          ...templates.valid(name),
          category: 'marketing',
          components,
          message_send_ttl_seconds: 86_400,
        };
        expect(await templates.create(request)).toMatchObject({
          status: 200,
          body: { components, message_send_ttl_seconds: 86_400 },
        });
        expect(templates.upstream(name)).toMatchObject([{ components }]);
        expect(templates.calls('POST').at(-1)?.body).toMatchObject({ message_send_ttl_seconds: 86_400 });
      }
    });

    it('works under /api too, and makes no call to the provider for an invalid template', async () => {
      const before = templates.calls('POST').length;
      const answer = await chatapp.post(tenant.key, '/api/chatapp/templates', templates.valid('Not A Name'));
      expect([answer.status, answer.body['code']]).toEqual([400, 'INVALID_REQUEST']);
      const category = await templates.create(templates.valid(templates.newName(), { category: 'service' }));
      expect([category.status, category.body['code']]).toEqual([400, 'INVALID_CATEGORY']);
      for (const body of ['{', '[]', '"x"'])
        expect((await templates.create(body)).body['code']).toBe('INVALID_REQUEST');
      expect(templates.calls('POST')).toHaveLength(before);
    });

    it('succeeds once per language, in any number of languages', async () => {
      const name = templates.newName();
      expect((await templates.create(templates.valid(name))).status).toBe(200);
      const again = await templates.create(templates.valid(name));
      expect([again.status, again.body['code']]).toEqual([400, 'CHATAPP_REQUEST_INVALID']);
      expect((await templates.create(templates.valid(name, { language: 'hi' }))).status).toBe(200);
      expect((await templates.listed(name)).map((one) => one['language'])).toEqual(['en_US', 'hi']);
    });

    it('rejects the name of a template of another organization in every language, without a call to the provider', async () => {
      const name = templates.newName();
      await templates.create(templates.valid(name));
      const other = await chatapp.tenant();
      const before = templates.calls('POST').length;
      const answer = await templates.create(templates.valid(name, { language: 'fr' }), { key: other.key });
      expect([answer.status, answer.body['code']]).toEqual([400, 'CHATAPP_REQUEST_INVALID']);
      expect(answer.body['message']).toMatch(/in use/);
      expect(templates.calls('POST')).toHaveLength(before);
    });

    it('rejects a name that exists only at the provider', async () => {
      const name = templates.newName();
      chatapp.provider.reviewTemplate(name, { status: 'APPROVED', language: 'en_US' });
      const answer = await templates.create(templates.valid(name));
      expect([answer.status, answer.body['code']]).toEqual([400, 'CHATAPP_REQUEST_INVALID']);
      expect(await templates.listed(name)).toEqual([]);
      await templates.sync();
      expect((await templates.create(templates.valid(name, { language: 'de' }))).body['code']).toBe(
        'CHATAPP_REQUEST_INVALID',
      );
      expect(templates.upstream(name)).toHaveLength(1);
    });

    it('succeeds for one organization when two organizations request a name concurrently', async () => {
      const name = templates.newName();
      const other = await chatapp.tenant();
      chatapp.provider.behave({ delayMs: 100 });
      const answers = await Promise.all([
        templates.create(templates.valid(name)),
        templates.create(templates.valid(name, { language: 'de' }), { key: other.key }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      expect(templates.upstream(name)).toHaveLength(1);
    });

    it.each([
      ['a rate limit', { status: 400, code: 80007 }, 429, 'CHATAPP_RATE_LIMITED'],
      ['an expired token', { status: 401, code: 190 }, 502, 'CHATAPP_UPSTREAM'],
      ['an internal error', { status: 500, code: 1 }, 502, 'CHATAPP_UPSTREAM'],
      ['a rejection', { status: 400, code: 132000 }, 400, 'CHATAPP_REQUEST_INVALID'],
    ])('stores nothing after %s', async (_, error, status, code) => {
      const name = templates.newName();
      chatapp.provider.behave({ error });
      const answer = await templates.create(templates.valid(name));
      expect([answer.status, answer.body['code']]).toEqual([status, code]);
      if (status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await templates.listed(name)).toEqual([]);
      chatapp.provider.behaviours.reset();
      expect((await templates.create(templates.valid(name))).status).toBe(200);
    });

    it('is completed by a repeated call when the response of the provider was lost', async () => {
      const name = templates.newName();
      const headers = { 'Idempotency-Key': unique() };
      chatapp.provider.behave({ answerLost: true });
      const lost = await templates.create(templates.valid(name), { headers });
      expect([lost.status, lost.body['code']]).toEqual([502, 'CHATAPP_UPSTREAM']);
      expect(templates.upstream(name)).toHaveLength(1);
      chatapp.provider.behaviours.reset();
      const other = await chatapp.tenant();
      expect((await templates.create(templates.valid(name), { key: other.key })).body['code']).toBe(
        'CHATAPP_REQUEST_INVALID',
      );
      const answer = await templates.create(templates.valid(name), { headers });
      expect([answer.status, answer.body['upstreamTemplateId']]).toEqual([200, templates.upstream(name)[0]?.id]);
    });

    it('is completed by a sync, for the same organization', async () => {
      const name = templates.newName();
      chatapp.provider.behave({ answerLost: true });
      expect((await templates.create(templates.valid(name))).status).toBe(502);
      chatapp.provider.behaviours.reset();
      await templates.sync();
      const other = await chatapp.tenant();
      expect(await templates.listed(name, other.key)).toEqual([]);
      expect(await templates.listed(name)).toMatchObject([{ status: 'PENDING' }]);
      expect((await templates.remove(name)).status).toBe(200);
    });

    it('is executed once per Idempotency-Key', async () => {
      const name = templates.newName();
      const headers = { 'Idempotency-Key': unique() };
      const first = await templates.create(templates.valid(name), { headers });
      const second = await templates.create(templates.valid(name), { headers });
      expect([second.status, second.body, second.headers.get('idempotent-replayed')]).toEqual([
        200,
        first.body,
        'true',
      ]);
      const reused = await templates.create(templates.valid(templates.newName()), { headers });
      expect([reused.status, reused.body['code']]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
      expect(templates.upstream(name)).toHaveLength(1);
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
