import { PlatformFixture } from '../platform.fixture';

const TO = '+491511234567';
const text = (body: unknown) => ({ type: 'text', text: { body } });
const interactive = (object: object) => ({ type: 'interactive', interactive: { body: { text: 'Choose' }, ...object } });
const buttons = (...replies: object[]) =>
  interactive({ type: 'button', action: { buttons: replies.map((reply) => ({ type: 'reply', reply })) } });
const list = (sections: object[], button = 'Open') => interactive({ type: 'list', action: { button, sections } });
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `r${index}`, title: `Row ${index}` }));
const template = (name: string, components?: object[], code = 'en_US') => ({
  type: 'template',
  template: { name, language: { code }, ...(components ? { components } : {}) },
});
const body = (...texts: unknown[]) => ({
  type: 'body',
  parameters: texts.map((value) => ({ type: 'text', text: value })),
});

let fixture: PlatformFixture;

beforeEach(async () => {
  fixture = await PlatformFixture.start();
  fixture.platform.receive({ from: TO, message: { type: 'text' } });
});

afterEach(() => fixture.stop());

function approve(name: string, ...components: { type: string; [key: string]: unknown }[]): void {
  fixture.platform.reviewTemplate(name, { status: 'APPROVED', category: 'utility', components });
}

describe('messages to the platform', () => {
  it('are answered with a new id and the number as the platform knows it', async () => {
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
    expect(fixture.platform.totals).toEqual({ accepted: 2, distinct: 2 });
  });

  it.each([
    ['a text of the full length', text('😀'.repeat(4_096))],
    ['a text with a preview', { type: 'text', text: { body: 'see https://a.example', preview_url: true } }],
    ['no type, which is a text', { text: { body: 'hello' } }],
    ['an answer to a message', { ...text('yes'), context: { message_id: 'camid.x' } }],
    ['an image by link', { type: 'image', image: { link: 'https://a.example/a.png', caption: 'x'.repeat(1_024) } }],
    ['a document by link', { type: 'document', document: { link: 'http://a.example/a.pdf', filename: 'a.pdf' } }],
    ['three buttons', buttons(...['a', 'b', 'c'].map((id) => ({ id, title: `Button ${id}` })))],
    ['a list of ten rows', list([{ title: 'A', rows: rows(10) }])],
    [
      'a link button',
      interactive({
        type: 'cta_url',
        action: { name: 'cta_url', parameters: { display_text: 'Look', url: 'https://a.example' } },
      }),
    ],
    [
      'a flow',
      interactive({
        type: 'flow',
        header: { type: 'text', text: 'Hello' },
        footer: { text: 'Bye' },
        action: { name: 'flow', parameters: { flow_message_version: '3', flow_id: '1', flow_cta: 'Begin' } },
      }),
    ],
  ])('may be %s', async (_, message) => {
    expect(await fixture.send(message)).toMatchObject({ status: 200 });
  });

  it.each([
    ['another product', { messaging_product: 'other', ...text('x') }, 100, 'messaging_product'],
    ['no recipient', { to: undefined, ...text('x') }, 100, 'to is required'],
    ['a recipient that is no number', { to: 'nobody', ...text('x') }, 131009, 'to must be'],
    ['a group', { recipient_type: 'group', ...text('x') }, 100, 'recipient_type'],
    ['callback data that is too long', { biz_opaque_callback_data: 'x'.repeat(513), ...text('x') }, 100, '512'],
    ['an unknown type', { type: 'poll', poll: {} }, 131051, 'poll'],
    ['a type without its object', { type: 'text' }, 100, 'text is required'],
    ['an empty text', text(''), 100, 'text.body'],
    ['a blank text', text(' \n'), 100, 'text.body'],
    ['a text that is too long', text('x'.repeat(4_097)), 100, '4096'],
    ['a text that is none', text(7), 100, 'text.body'],
    ['an unexpected key', { type: 'text', text: { body: 'x', html: 'x' } }, 100, 'html'],
    ['media without a source', { type: 'image', image: {} }, 100, 'exactly one'],
    ['media with two', { type: 'image', image: { id: '1', link: 'https://a.example' } }, 100, 'exactly one'],
    ['unknown media', { type: 'image', image: { id: '1' } }, 100, 'image.id'],
    ['a link that is none', { type: 'image', image: { link: 'ftp://a.example' } }, 100, 'image.link'],
    [
      'a caption that is too long',
      { type: 'video', video: { link: 'https://a.example', caption: 'x'.repeat(1_025) } },
      100,
      '1024',
    ],
    ['a caption on audio', { type: 'audio', audio: { link: 'https://a.example', caption: 'x' } }, 100, 'caption'],
    [
      'a caption on a sticker',
      { type: 'sticker', sticker: { link: 'https://a.example', caption: 'x' } },
      100,
      'caption',
    ],
    ['no interactive object', { type: 'interactive' }, 100, 'interactive'],
    ['an unknown kind of interactive', interactive({ type: 'quiz', action: {} }), 131009, 'interactive.type'],
    ['no body', { type: 'interactive', interactive: { type: 'button', action: { buttons: [] } } }, 131008, 'body'],
    [
      'a body that is too long',
      interactive({ type: 'button', body: { text: 'x'.repeat(1_025) }, action: {} }),
      131009,
      '1024',
    ],
    [
      'a footer that is too long',
      interactive({ type: 'button', footer: { text: 'x'.repeat(61) }, action: {} }),
      131009,
      '60',
    ],
    [
      'a header that is too long',
      interactive({ type: 'button', header: { type: 'text', text: 'x'.repeat(61) } }),
      131009,
      '60',
    ],
    [
      'an image above a list',
      interactive({ type: 'list', header: { type: 'image', image: {} } }),
      131009,
      'header.type',
    ],
    ['no action', interactive({ type: 'button' }), 131008, 'action'],
    ['four buttons', buttons(...['a', 'b', 'c', 'd'].map((id) => ({ id, title: id }))), 131009, 'buttons'],
    ['a title that is too long', buttons({ id: 'a', title: 'x'.repeat(21) }), 131009, '20'],
    ['a button id that is too long', buttons({ id: 'x'.repeat(257), title: 'x' }), 131009, '256'],
    ['the same button id twice', buttons({ id: 'a', title: 'A' }, { id: 'a', title: 'B' }), 131009, 'unique'],
    ['the same title twice', buttons({ id: 'a', title: 'A' }, { id: 'b', title: 'A' }), 131009, 'unique'],
    [
      'eleven rows',
      list([
        { title: 'A', rows: rows(6) },
        { title: 'B', rows: rows(5) },
      ]),
      131009,
      'rows',
    ],
    ['sections without titles', list([{ rows: rows(1) }, { title: 'B', rows: rows(1) }]), 131008, 'sections[0].title'],
    ['eleven sections', list(Array.from({ length: 11 }, () => ({ title: 'A', rows: rows(1) }))), 131009, 'sections'],
    ['a row title that is too long', list([{ rows: [{ id: 'a', title: 'x'.repeat(25) }] }]), 131009, '24'],
    ['a row id that is too long', list([{ rows: [{ id: 'x'.repeat(201), title: 'x' }] }]), 131009, '200'],
    [
      'a description that is too long',
      list([{ rows: [{ id: 'a', title: 'a', description: 'x'.repeat(73) }] }]),
      131009,
      '72',
    ],
    ['a list button that is too long', list([{ rows: rows(1) }], 'x'.repeat(21)), 131009, '20'],
    [
      'a flow of two names',
      interactive({
        type: 'flow',
        action: {
          name: 'flow',
          parameters: { flow_message_version: '3', flow_cta: 'x', flow_id: '1', flow_name: 'x' },
        },
      }),
      131009,
      'exactly one',
    ],
  ])('are refused with %s', async (_, message, code, told) => {
    const answer = await fixture.send(message);
    expect(answer).toMatchObject({ status: 400, body: { error: { code, type: 'OAuthException' } } });
    expect(answer.body.error).toMatchObject({
      message: expect.stringContaining(`(#${code})`),
      error_data: { messaging_product: 'chatapp', details: expect.stringContaining(told) },
      fbtrace_id: expect.any(String),
    });
    expect(fixture.platform.messages()).toEqual([]);
  });

  it('need a template for whoever did not write within 24 hours', async () => {
    approve('hello', { type: 'BODY', text: 'Hello' });
    const closed = { status: 400, body: { error: { code: 131047 } } };
    const nowSeconds = Math.floor(Date.now() / 1_000);
    expect(await fixture.send(text('x'), '+49152')).toMatchObject({ status: 400, body: { error: { code: 131009 } } });
    expect(await fixture.send(text('x'), '+4915200000001')).toMatchObject(closed);
    expect(await fixture.send(template('hello'), '+4915200000001')).toMatchObject({
      status: 200,
      body: { messages: [{ id: expect.any(String), message_status: 'accepted' }] },
    });
    fixture.platform.receive({ from: '4915200000001', message: { type: 'text' }, timestamp: nowSeconds - 86_401 });
    expect(await fixture.send(text('x'), '+4915200000001')).toMatchObject(closed);
    fixture.platform.receive({ from: '4915200000001', message: { type: 'text' }, timestamp: nowSeconds - 86_000 });
    expect(await fixture.send(text('x'), '+4915200000001')).toMatchObject({ status: 200 });
    // What was written before does not shorten the window.
    fixture.platform.receive({ from: '4915200000001', message: { type: 'text' }, timestamp: 1 });
    expect(await fixture.send(text('x'), '+4915200000001')).toMatchObject({ status: 200 });
  });

  it('are closed to again when 24 hours have passed', async () => {
    await fixture.stop();
    let now = new Date('2026-01-01T00:00:00Z');
    fixture = await PlatformFixture.start({ now: () => now });
    fixture.platform.receive({ from: TO, message: { type: 'text' } });
    now = new Date('2026-01-01T23:59:59Z');
    expect(await fixture.send(text('x'))).toMatchObject({ status: 200 });
    now = new Date('2026-01-02T00:00:00Z');
    expect(await fixture.send(text('x'))).toMatchObject({ body: { error: { code: 131047 } } });
  });

  it('can be marked as read where they came from outside', async () => {
    const { account } = fixture.platform;
    const { id } = fixture.platform.receive({ from: TO, message: { type: 'text' } });
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
  ])('are refused while the template is %s', async (status, httpStatus, code) => {
    fixture.platform.reviewTemplate('offer', { status });
    expect(await fixture.send(template('offer'))).toMatchObject({ status: httpStatus, body: { error: { code } } });
  });

  it('need a template of that name in that language', async () => {
    approve('hello', { type: 'BODY', text: 'Hello' });
    expect(await fixture.send(template('other'))).toMatchObject(missing);
    expect(await fixture.send(template('hello', [], 'de'))).toMatchObject(missing);
    expect(await fixture.send(template('hello', []))).toMatchObject({ status: 200 });
    expect(await fixture.send({ type: 'template', template: { name: 'hello' } })).toMatchObject({
      body: { error: { code: 131008 } },
    });
  });

  it.each([
    ['what it takes', [body('Ann', 'now')], 0],
    ['too few', [body('Ann')], 132000],
    ['too many', [body('Ann', 'now', 'x')], 132000],
    ['none', undefined, 132000],
    [
      'a header that it has not',
      [body('Ann', 'now'), { type: 'header', parameters: [{ type: 'text', text: 'x' }] }],
      132000,
    ],
    ['an image in the body', [{ type: 'body', parameters: [{ type: 'image' }, { type: 'text', text: 'x' }] }], 132012],
    ['an empty text', [body('', 'now')], 131008],
    ['a component that there is not', [body('Ann', 'now'), { type: 'footer' }], 131009],
    [
      'a currency',
      [
        {
          type: 'body',
          parameters: [
            { type: 'currency', currency: { fallback_value: '$1' } },
            { type: 'text', text: 'x' },
          ],
        },
      ],
      0,
    ],
  ])('fill the body with %s', async (_, components, code) => {
    approve('order', { type: 'BODY', text: 'Hi {{1}}, your order left {{2}} for you, {{1}}.' });
    const answer = await fixture.send(template('order', components));
    if (code === 0) expect(answer.status).toBe(200);
    else expect(answer).toMatchObject({ status: 400, body: { error: { code } } });
  });

  it('fill named places by name', async () => {
    approve('named', { type: 'BODY', text: 'Hi {{first_name}}!' });
    const named = (name: string) => [
      { type: 'body', parameters: [{ type: 'text', text: 'Ann', parameter_name: name }] },
    ];
    expect(await fixture.send(template('named', named('first_name')))).toMatchObject({ status: 200 });
    expect(await fixture.send(template('named', named('last_name')))).toMatchObject({
      body: { error: { code: 132012 } },
    });
  });

  it('fill a header with media of its kind', async () => {
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

  it('fill buttons that have something to fill', async () => {
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

  it('carry a one-time code twice', async () => {
    fixture.platform.reviewTemplate('otp', {
      status: 'APPROVED',
      category: 'AUTHENTICATION',
      components: [
        { type: 'BODY', add_security_recommendation: true },
        { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
      ],
    });
    const button = { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: '123456' }] };
    expect(await fixture.send(template('otp', [body('123456'), button]))).toMatchObject({ status: 200 });
    expect(fixture.platform.messages()).toMatchObject([{ category: 'authentication' }]);
    expect(await fixture.send(template('otp', [body('123456')]))).toMatchObject({ body: { error: { code: 131008 } } });
    expect(await fixture.send(template('otp', [button]))).toMatchObject({ body: { error: { code: 132000 } } });
    expect(await fixture.send(template('otp', [body('1'.repeat(16)), button]))).toMatchObject({
      body: { error: { code: 131009 } },
    });
  });
});
