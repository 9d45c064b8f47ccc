import { ProviderFixture } from '../provider.fixture';

const TO = '+491511234567';
const text = (body: unknown) => ({ type: 'text', text: { body } });
const interactive = (object: object) => ({ type: 'interactive', interactive: { body: { text: 'Choose' }, ...object } });
const buttons = (...replies: object[]) =>
  interactive({ type: 'button', action: { buttons: replies.map((reply) => ({ type: 'reply', reply })) } });
const template = (name: string, components?: object[], code = 'en_US') => ({
  type: 'template',
  template: { name, language: { code }, ...(components ? { components } : {}) },
});
const body = (...texts: unknown[]) => ({
  type: 'body',
  parameters: texts.map((value) => ({ type: 'text', text: value })),
});

let fixture: ProviderFixture;

beforeEach(async () => {
  fixture = await ProviderFixture.start();
  fixture.provider.receive({ from: TO, message: { type: 'text' } });
});

afterEach(() => fixture.stop());

function approve(name: string, ...components: { type: string; [key: string]: unknown }[]): void {
  fixture.provider.reviewTemplate(name, { status: 'APPROVED', category: 'utility', components });
}

describe('messages to the provider', () => {
  it('get a new id and the normalized number in the response', async () => {
    const first = await fixture.send(text('hello'), '+49 151 1234567');
    const second = await fixture.send(text('hello'));
    expect(first).toEqual({
      status: 200,
      body: {
        messaging_product: 'chatapp',
        contacts: [{ input: '+49 151 1234567', wa_id: '491511234567' }],
        messages: [{ id: expect.stringMatching(/^camid\.[A-Za-z0-9+/]+=*$/) }],
      },
    });
    expect(second.body['messages']).not.toEqual(first.body['messages']);
    expect(fixture.provider.totals).toEqual({ accepted: 2, distinct: 2 });
  });

  it.each([
    ['a text of the maximum length', text('😀'.repeat(4_096))],
    ['three buttons', buttons(...['a', 'b', 'c'].map((id) => ({ id, title: `Button ${id}` })))],
  ])('can be %s', async (_, message) => {
    expect(await fixture.send(message)).toMatchObject({ status: 200 });
  });

  it.each([
    ['a recipient that is not a number', { to: 'nobody', ...text('x') }, 131009, 'to must be'],
    ['an unknown type', { type: 'poll', poll: {} }, 131051, 'poll'],
    ['a text that is too long', text('x'.repeat(4_097)), 100, '4096'],
    ['unknown media', { type: 'image', image: { id: '1' } }, 100, 'image.id'],
    ['a title that is too long', buttons({ id: 'a', title: 'x'.repeat(21) }), 131009, '20'],
    ['the same button id twice', buttons({ id: 'a', title: 'A' }, { id: 'a', title: 'B' }), 131009, 'unique'],
  ])('are rejected with %s', async (_, message, code, details) => {
    const answer = await fixture.send(message);
    expect(answer).toMatchObject({ status: 400, body: { error: { code, type: 'OAuthException' } } });
    expect(answer.body.error).toMatchObject({
      message: expect.stringContaining(`(#${code})`),
      error_data: { messaging_product: 'chatapp', details: expect.stringContaining(details) },
      fbtrace_id: expect.any(String),
    });
    expect(fixture.provider.messages()).toEqual([]);
  });

  it('require a template for recipients who sent no message within 24 hours', async () => {
    approve('hello', { type: 'BODY', text: 'Hello' });
    const closed = { status: 400, body: { error: { code: 131047 } } };
    const nowSeconds = Math.floor(Date.now() / 1_000);
    expect(await fixture.send(text('x'), '+49152')).toMatchObject({ status: 400, body: { error: { code: 131009 } } });
    expect(await fixture.send(text('x'), '+4915200000001')).toMatchObject(closed);
    expect(await fixture.send(template('hello'), '+4915200000001')).toMatchObject({
      status: 200,
      body: { messages: [{ id: expect.any(String), message_status: 'accepted' }] },
    });
    fixture.provider.receive({ from: '4915200000001', message: { type: 'text' }, timestamp: nowSeconds - 86_401 });
    expect(await fixture.send(text('x'), '+4915200000001')).toMatchObject(closed);
    fixture.provider.receive({ from: '4915200000001', message: { type: 'text' }, timestamp: nowSeconds - 86_000 });
    expect(await fixture.send(text('x'), '+4915200000001')).toMatchObject({ status: 200 });
    // An earlier message does not shorten the window.
    fixture.provider.receive({ from: '4915200000001', message: { type: 'text' }, timestamp: 1 });
    expect(await fixture.send(text('x'), '+4915200000001')).toMatchObject({ status: 200 });
  });

  it('can be marked as read if they are inbound', async () => {
    const { account } = fixture.provider;
    const { id } = fixture.provider.receive({ from: TO, message: { type: 'text' } });
    const mark = (message_id: unknown, status = 'read') =>
      fixture.call('POST', `/${account.phoneNumberId}/messages`, { messaging_product: 'chatapp', status, message_id });
    expect(await mark(id)).toEqual({ status: 200, body: { success: true } });
    const refused = { status: 400, body: { error: { code: 100 } } };
    expect(await mark('camid.other')).toMatchObject(refused);
    expect(await mark(undefined)).toMatchObject(refused);
    expect(await mark(id, 'delivered')).toMatchObject(refused);
  });
});

describe('template messages', () => {
  const missing = { status: 404, body: { error: { code: 132001 } } };

  it.each([
    ['PENDING', 404, 132001],
    ['REJECTED', 404, 132001],
    ['PAUSED', 400, 132015],
    ['DISABLED', 400, 132016],
  ])('are rejected while the template is %s', async (status, httpStatus, code) => {
    fixture.provider.reviewTemplate('offer', { status });
    expect(await fixture.send(template('offer'))).toMatchObject({ status: httpStatus, body: { error: { code } } });
  });

  it('require an approved template with the name and language', async () => {
    approve('hello', { type: 'BODY', text: 'Hello' });
    expect(await fixture.send(template('other'))).toMatchObject(missing);
    expect(await fixture.send(template('hello', [], 'de'))).toMatchObject(missing);
    expect(await fixture.send(template('hello', []))).toMatchObject({ status: 200 });
    expect(await fixture.send({ type: 'template', template: { name: 'hello' } })).toMatchObject({
      body: { error: { code: 131008 } },
    });
  });

  it.each([
    ['the correct parameters', [body('Ann', 'now')], 0],
    ['too few parameters', [body('Ann')], 132000],
    ['no parameters', undefined, 132000],
    ['an image in the body', [{ type: 'body', parameters: [{ type: 'image' }, { type: 'text', text: 'x' }] }], 132012],
  ])('are checked with %s', async (_, components, code) => {
    approve('order', { type: 'BODY', text: 'Hi {{1}}, your order left {{2}} for you, {{1}}.' });
    const answer = await fixture.send(template('order', components));
    if (code === 0) expect(answer.status).toBe(200);
    else expect(answer).toMatchObject({ status: 400, body: { error: { code } } });
  });

  it('fill named placeholders', async () => {
    approve('named', { type: 'BODY', text: 'Hi {{first_name}}!' });
    const named = (name: string) => [
      { type: 'body', parameters: [{ type: 'text', text: 'Ann', parameter_name: name }] },
    ];
    expect(await fixture.send(template('named', named('first_name')))).toMatchObject({ status: 200 });
    expect(await fixture.send(template('named', named('last_name')))).toMatchObject({
      body: { error: { code: 132012 } },
    });
  });

  it('require media of the type of the header', async () => {
    approve('photo', { type: 'HEADER', format: 'IMAGE' }, { type: 'BODY', text: 'Look' });
    const header = (parameter: object) => [{ type: 'header', parameters: [parameter] }];
    const link = { link: 'https://a.example/a.png' };
    expect(await fixture.send(template('photo', header({ type: 'image', image: link })))).toMatchObject({
      status: 200,
    });
    expect(await fixture.send(template('photo', header({ type: 'video', video: link })))).toMatchObject({
      body: { error: { code: 132012 } },
    });
    expect(await fixture.send(template('photo', header({ type: 'image', image: { id: '7' } })))).toMatchObject({
      body: { error: { code: 131009 } },
    });
    expect(await fixture.send(template('photo'))).toMatchObject({ body: { error: { code: 132000 } } });
  });

  it('require the parameters of buttons', async () => {
    approve(
      'shop',
      { type: 'BODY', text: 'Shop now' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'URL', text: 'Shop', url: 'https://a.example/{{1}}' },
          { type: 'QUICK_REPLY', text: 'No' },
        ],
      },
    );
    const button = (index: unknown, sub_type: string, parameter: object) => ({
      type: 'button',
      index,
      sub_type,
      parameters: [parameter],
    });
    const url = button('0', 'url', { type: 'text', text: 'sale' });
    const reply = button(1, 'quick_reply', { type: 'payload', payload: 'NO' });
    expect(await fixture.send(template('shop', [url]))).toMatchObject({ status: 200 });
    expect(await fixture.send(template('shop', [url, reply]))).toMatchObject({ status: 200 });
    const codeOf = async (...components: object[]) =>
      (await fixture.send(template('shop', components))).body.error?.['code'];
    expect(await codeOf()).toBe(131008);
    expect(await codeOf(button('0', 'quick_reply', { type: 'text', text: 'sale' }))).toBe(132012);
    expect(await codeOf(button('0', 'url', { type: 'payload', payload: 'sale' }))).toBe(132012);
    expect(await codeOf(url, button('2', 'url', { type: 'text', text: 'x' }))).toBe(132000);
    expect(await codeOf(url, button('x', 'url', { type: 'text', text: 'x' }))).toBe(131009);
  });

  it('require a one-time code in the body and the button', async () => {
    fixture.provider.reviewTemplate('otp', {
      status: 'APPROVED',
      category: 'AUTHENTICATION',
      components: [
        { type: 'BODY', add_security_recommendation: true },
        { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
      ],
    });
    const button = { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: '123456' }] };
    expect(await fixture.send(template('otp', [body('123456'), button]))).toMatchObject({ status: 200 });
    expect(fixture.provider.messages()).toMatchObject([{ category: 'authentication' }]);
    expect(await fixture.send(template('otp', [body('123456')]))).toMatchObject({ body: { error: { code: 131008 } } });
    expect(await fixture.send(template('otp', [button]))).toMatchObject({ body: { error: { code: 132000 } } });
    expect(await fixture.send(template('otp', [body('1'.repeat(16)), button]))).toMatchObject({
      body: { error: { code: 131009 } },
    });
  });
});
