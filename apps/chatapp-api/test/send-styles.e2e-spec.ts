import { ChatappFixture, newNumber, type ChatappTenant } from './chatapp-fixture';

const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();

describe('the styles of sending', () => {
  let chatapp: ChatappFixture;
  let tenant: ChatappTenant;
  let to: string;
  beforeAll(async () => {
    chatapp = await ChatappFixture.shared();
    tenant = await chatapp.tenant({ credits: 1_000_000 });
    to = await chatapp.openNumber();
  });

  const get = (query: string, path = '/chatapp/send') => chatapp.call(`${path}?${query}`, { key: tenant.key });
  const postForm = (fields: Record<string, string>) =>
    chatapp.post(tenant.key, '/chatapp/send', form(fields), { 'Content-Type': 'application/x-www-form-urlencoded' });
  const lastBody = (): Record<string, unknown> => chatapp.provider.requests(to).at(-1)?.body as Record<string, unknown>;

  it.each(['to', 'recipient', 'number', 'msisdn', 'mobile', 'phone'])(
    'accept %s as an alias of to in GET and form',
    async (name) => {
      expect((await get(form({ [name]: to, text: 'Hi' }))).body).toMatchObject({ ok: true, to });
      expect((await postForm({ [name]: to, text: 'Hi' })).body).toMatchObject({ ok: true, to });
    },
  );

  it.each(['text', 'message', 'body', 'msg', 'content'])(
    'accept %s as an alias of text in GET and form',
    async (name) => {
      const text = `by ${name}`;
      expect((await get(form({ to, [name]: text }), '/api/chatapp/send')).status).toBe(200);
      expect(lastBody()['text']).toEqual({ body: text });
      expect((await postForm({ to, [name]: `${text}!` })).status).toBe(200);
      expect(lastBody()['text']).toEqual({ body: `${text}!` });
    },
  );

  it.each(['scheduledAt', 'scheduled_at', 'schedule', 'send-at', 'reference'])(
    'refuse %s, which other sends know, instead of sending at once',
    async (name) => {
      const fields = form({ to, text: 'Hi', [name]: '2030-01-01T00:00:00Z' });
      for (const answer of [await get(fields), await postForm({ to, text: 'Hi', [name]: '2030-01-01T00:00:00Z' })]) {
        expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
        expect(answer.body['message']).toContain(name);
      }
      expect((await get(`${form({ to, text: 'Hi' })}&utm_source=x&_=1`)).status).toBe(200);
    },
  );

  it('prefer the canonical name over an alias', async () => {
    await get(form({ phone: newNumber(), to, message: 'alias', text: 'canonical' }));
    expect(lastBody()['text']).toEqual({ body: 'canonical' });
  });

  it('accept no alias in JSON', async () => {
    const answer = await chatapp.send(tenant, { phone: to, text: 'Hi' });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', message: 'phone is not a field of this call. Did you mean to?' },
    });
    const text = await chatapp.send(tenant, { to, message: 'Hi' });
    expect(text).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', message: 'message is not a field of this call. Did you mean text?' },
    });
  });

  it('default to text, and to template if a form or query names a template', async () => {
    const name = await chatapp.template(null);
    expect((await chatapp.send(tenant, { to, text: 'Hi' })).body['type']).toBe('text');
    expect((await get(form({ to, template: name }))).body['type']).toBe('template');
    expect((await postForm({ to, template: name, language: 'en_US' })).body['type']).toBe('template');
    expect(lastBody()['template']).toEqual({ name, language: { policy: 'deterministic', code: 'en_US' } });
    expect((await chatapp.send(tenant, { to, template: { name } })).body['code']).toBe('MISSING_TEXT');
  });

  it('accept a number whose plus sign became a space, and a number without a plus sign', async () => {
    expect((await get(`to=+${to.slice(1)}&text=Hi`)).body['to']).toBe(to);
    expect((await get(`to=${to.slice(1)}&text=Hi`)).body['to']).toBe(to);
    expect((await chatapp.send(tenant, { to: to.slice(1), text: 'Hi' })).body['to']).toBe(to);
  });

  it('explain that the text is a string and not the object of the provider', async () => {
    const { status, body } = await chatapp.send(tenant, { to, text: { body: 'Hello' } });
    expect([status, body['code']]).toEqual([400, 'MISSING_TEXT']);
    expect(body['message']).toContain('text must be a string, such as "text": "Hello".');
  });

  it('send media by link with its caption, in JSON only', async () => {
    const media = { link: 'https://files.example/a.jpg', caption: 'A' };
    expect((await chatapp.send(tenant, { to, type: 'image', media })).body).toMatchObject({ type: 'image' });
    expect(lastBody()['image']).toEqual(media);
    expect((await get(form({ to, type: 'image', media: 'x' }))).body['code']).toBe('MISSING_MEDIA');
    expect((await postForm({ to, type: 'interactive', interactive: '{}' })).body['code']).toBe('MISSING_INTERACTIVE');
  });

  it('pass an interactive object and the components of a template unchanged', async () => {
    const interactive = {
      type: 'button',
      body: { text: 'Choose' },
      action: { buttons: [{ type: 'reply', reply: { id: 'a', title: 'A' } }] },
    };
    expect((await chatapp.send(tenant, { to, type: 'interactive', interactive })).status).toBe(200);
    expect(lastBody()['interactive']).toEqual(interactive);
    const name = await chatapp.template(null, { body: 'Hi {{1}}, welcome' });
    const components = [{ type: 'body', parameters: [{ type: 'text', text: 'Ann' }] }];
    expect((await chatapp.send(tenant, { to, type: 'template', template: { name, components } })).status).toBe(200);
    expect(lastBody()['template']).toEqual({ name, language: { policy: 'deterministic', code: 'en_US' }, components });
  });

  it('respond to HEAD with 405 and send nothing', async () => {
    const before = chatapp.provider.messages(to).length;
    const answer = await chatapp.call(`/chatapp/send?${form({ to, text: 'Hi' })}`, { method: 'HEAD', key: tenant.key });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect(chatapp.provider.messages(to)).toHaveLength(before);
  });

  describe('reject a request without a call to the provider', () => {
    const template = { name: 'welcome' };
    it.each<[string, string, unknown]>([
      ['a missing to', 'INVALID_RECIPIENT', { text: 'Hi' }],
      ['an empty to', 'INVALID_RECIPIENT', { to: '', text: 'Hi' }],
      ['a to that is not text', 'INVALID_RECIPIENT', { to: 919_811_111_111, text: 'Hi' }],
      ['a malformed to', 'INVALID_RECIPIENT', { to: '98-11', text: 'Hi' }],
      ['a to in national format', 'INVALID_RECIPIENT', { to: '09811111111', text: 'Hi' }],
      ['a missing text', 'MISSING_TEXT', { to: 'N' }],
      ['an empty text', 'MISSING_TEXT', { to: 'N', text: '' }],
      ['a text that is not text', 'MISSING_TEXT', { to: 'N', text: 7 }],
      ['a text with NUL', 'MISSING_TEXT', { to: 'N', text: 'a\0b' }],
      ['a text with an unpaired surrogate', 'MISSING_TEXT', { to: 'N', text: 'a\ud83d' }],
      ['a text that is too long', 'INVALID_REQUEST', { to: 'N', text: 'a'.repeat(4_097) }],
      ['an unknown type', 'UNSUPPORTED_TYPE', { to: 'N', type: 'poll', text: 'Hi' }],
      ['a type that is not text', 'UNSUPPORTED_TYPE', { to: 'N', type: 1, text: 'Hi' }],
      ['a property name of a prototype as type', 'UNSUPPORTED_TYPE', { to: 'N', type: '__proto__' }],
      ['a missing template', 'MISSING_TEMPLATE', { to: 'N', type: 'template' }],
      ['a template that is only a name', 'MISSING_TEMPLATE', { to: 'N', type: 'template', template: 'welcome' }],
      ['a template without a name', 'MISSING_TEMPLATE', { to: 'N', type: 'template', template: {} }],
      ['an invalid template name', 'INVALID_REQUEST', { to: 'N', type: 'template', template: { name: 'Wel come' } }],
      [
        'an invalid language',
        'INVALID_REQUEST',
        { to: 'N', type: 'template', template: { ...template, language: '../en' } },
      ],
      [
        'invalid components',
        'INVALID_REQUEST',
        { to: 'N', type: 'template', template: { ...template, components: {} } },
      ],
      ['an unknown category', 'INVALID_CATEGORY', { to: 'N', type: 'template', template, category: 'service' }],
      ['the category service', 'INVALID_CATEGORY', { to: 'N', type: 'template', template, category: 'promo' }],
      ['a category that is not text', 'INVALID_CATEGORY', { to: 'N', text: 'Hi', category: 1 }],
      ['a missing interactive', 'MISSING_INTERACTIVE', { to: 'N', type: 'interactive' }],
      ['an interactive that is text', 'MISSING_INTERACTIVE', { to: 'N', type: 'interactive', interactive: 'x' }],
      ['missing media', 'MISSING_MEDIA', { to: 'N', type: 'video' }],
      ['media without id or link', 'MISSING_MEDIA', { to: 'N', type: 'sticker', media: { caption: 'x' } }],
      [
        'media with both id and link',
        'INVALID_REQUEST',
        { to: 'N', type: 'audio', media: { id: '1', link: 'https://a.example' } },
      ],
      [
        'a control character in a link',
        'MISSING_MEDIA',
        { to: 'N', type: 'image', media: { link: 'https://a.example/\n' } },
      ],
      ['NUL in a link', 'MISSING_MEDIA', { to: 'N', type: 'image', media: { link: 'https://a.example/\0' } }],
      ['an invalid link', 'MISSING_MEDIA', { to: 'N', type: 'image', media: { link: 'javascript:alert(1)' } }],
      ['media of another organization', 'CHATAPP_REQUEST_INVALID', { to: 'N', type: 'image', media: { id: '4711' } }],
      ['a body that is not an object', 'INVALID_REQUEST', '[]'],
      ['a body that is not JSON', 'INVALID_REQUEST', '{"to":'],
      ['a body that is nested too deeply', 'INVALID_REQUEST', `{"to":${'['.repeat(50)}${']'.repeat(50)}}`],
    ])('because of %s (%s)', async (_, code, body) => {
      const number = newNumber();
      const content = typeof body === 'string' ? body : JSON.stringify(body).replace('"N"', JSON.stringify(number));
      const answer = await chatapp.send(tenant, content);
      expect([answer.status, Object.keys(answer.body), answer.body['code']]).toEqual([400, ['code', 'message'], code]);
      expect(chatapp.provider.requests(number)).toEqual([]);
    });

    it('because of repeated fields (INVALID_REQUEST)', async () => {
      const answer = await get(`to=${to}&to=${to}&text=Hi`);
      expect([answer.status, answer.body['code']]).toEqual([400, 'INVALID_REQUEST']);
    });

    it('because of a body that is too large (413 PAYLOAD_TOO_LARGE)', async () => {
      const answer = await chatapp.send(tenant, { to, text: 'a'.repeat(1_100_000) });
      expect([answer.status, answer.body['code']]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });
  });
});
