import { PlatformFixture } from '../platform.fixture';

const BODY = { type: 'BODY', text: 'Hi {{1}}, welcome', example: { body_text: [['Ann']] } };
const OTP = { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy' }] };
const APP = { package_name: 'com.example', signature_hash: 'abcdefghijk' };

let fixture: PlatformFixture;

beforeEach(async () => {
  fixture = await PlatformFixture.start();
});

afterEach(() => fixture.stop());

const create = (template: object) =>
  fixture.call('POST', fixture.templatesPath, {
    name: 'welcome',
    category: 'UTILITY',
    language: 'en_US',
    components: [BODY],
    ...template,
  });

const list = (query = '') => fixture.call('GET', `${fixture.templatesPath}${query}`);

async function names(query = ''): Promise<unknown[]> {
  return ((await list(query)).body['data'] as { name: string }[]).map(({ name }) => name);
}

describe('templates of the platform', () => {
  it('wait for their review, are listed, and are sent once they are approved', async () => {
    const created = await create({});
    expect(created).toEqual({
      status: 200,
      body: { id: expect.stringMatching(/^\d+$/), status: 'PENDING', category: 'UTILITY' },
    });
    expect((await list()).body['data']).toEqual([
      {
        name: 'welcome',
        parameter_format: 'POSITIONAL',
        components: [BODY],
        language: 'en_US',
        status: 'PENDING',
        category: 'UTILITY',
        id: created.body['id'],
      },
    ]);
    const message = {
      type: 'template',
      template: {
        name: 'welcome',
        language: { code: 'en_US' },
        components: [{ type: 'body', parameters: [{ type: 'text', text: 'Ann' }] }],
      },
    };
    expect(await fixture.send(message)).toMatchObject({ body: { error: { code: 132001 } } });
    fixture.platform.reviewTemplate('welcome', { status: 'approved' });
    expect(await fixture.send(message)).toMatchObject({ status: 200 });
  });

  it('exist once in a language', async () => {
    await create({});
    expect(await create({ language: 'de' })).toMatchObject({ status: 200 });
    expect(await create({})).toMatchObject({
      status: 400,
      body: {
        error: {
          message: 'Invalid parameter',
          code: 100,
          error_subcode: 2388024,
          error_user_title: expect.any(String),
          error_user_msg: expect.stringContaining('welcome in en_US'),
        },
      },
    });
  });

  it.each([
    [
      'all components',
      {
        components: [
          { type: 'HEADER', format: 'TEXT', text: 'For {{1}}', example: { header_text: ['you'] } },
          BODY,
          { type: 'FOOTER', text: 'Bye' },
          {
            type: 'BUTTONS',
            buttons: [
              { type: 'QUICK_REPLY', text: 'Stop' },
              { type: 'URL', text: 'Shop', url: 'https://a.example/{{1}}', example: ['sale'] },
              { type: 'URL', text: 'Home', url: 'https://a.example' },
              { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+4930' },
              { type: 'COPY_CODE', example: 'SALE' },
            ],
          },
        ],
      },
    ],
    [
      'an image above',
      { components: [{ type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::a'] } }, BODY] },
    ],
    ['a place above', { components: [{ type: 'HEADER', format: 'LOCATION' }, BODY] }],
    [
      'names in place of numbers',
      {
        parameter_format: 'NAMED',
        components: [
          {
            type: 'BODY',
            text: 'Hi {{first_name}}!',
            example: { body_text_named_params: [{ param_name: 'first_name', example: 'Ann' }] },
          },
        ],
      },
    ],
    [
      'a code to copy',
      {
        category: 'AUTHENTICATION',
        components: [
          { type: 'BODY', add_security_recommendation: true },
          { type: 'FOOTER', code_expiration_minutes: 90 },
          OTP,
        ],
      },
    ],
    [
      'a code for an app',
      {
        category: 'AUTHENTICATION',
        components: [
          { type: 'BODY' },
          {
            type: 'BUTTONS',
            buttons: [{ type: 'OTP', otp_type: 'ZERO_TAP', zero_tap_terms_accepted: true, supported_apps: [APP] }],
          },
        ],
      },
    ],
  ])('may have %s', async (_, template) => {
    expect(await create(template)).toMatchObject({ status: 200, body: { status: 'PENDING' } });
  });

  const authentication = (...components: object[]) => ({ category: 'AUTHENTICATION', components });
  const withBody = (text: string, example?: object) => ({
    components: [{ type: 'BODY', text, ...(example ? { example } : {}) }],
  });
  const withButtons = (...buttons: object[]) => ({ components: [BODY, { type: 'BUTTONS', buttons }] });

  it.each([
    ['a name with capitals', { name: 'Welcome' }, undefined],
    ['no name', { name: undefined }, undefined],
    ['a category in small letters', { category: 'utility' }, undefined],
    ['no language', { language: undefined }, undefined],
    ['a language that is none', { language: 'English' }, undefined],
    ['no components', { components: [] }, undefined],
    ['no body', { components: [{ type: 'FOOTER', text: 'Bye' }] }, undefined],
    ['two bodies', { components: [BODY, BODY] }, undefined],
    ['an unknown component', { components: [BODY, { type: 'SIDE' }] }, undefined],
    ['a body that is too long', withBody('x'.repeat(1_025)), undefined],
    ['a placeholder at the start', withBody('{{1}}, hi', { body_text: [['a']] }), 2388299],
    ['a placeholder at the end', withBody('Hi {{1}} ', { body_text: [['a']] }), 2388299],
    ['more placeholders than words', withBody('a {{1}} {{2}} {{3}} b', { body_text: [['a', 'b', 'c']] }), 2388293],
    ['a gap between placeholders', withBody('Hi {{1}} and {{3}}, you', { body_text: [['a', 'b']] }), undefined],
    ['a placeholder with a name', withBody('Hi {{name}}, you', { body_text: [['a']] }), undefined],
    ['a placeholder with blanks', withBody('Hi {{ 1 }}, you', { body_text: [['a']] }), undefined],
    ['no samples', withBody('Hi {{1}}, you'), undefined],
    ['samples that are not nested', withBody('Hi {{1}}, you', { body_text: ['a'] }), undefined],
    ['too few samples', withBody('Hi {{1}} and {{2}}, you', { body_text: [['a']] }), undefined],
    [
      'a header that is too long',
      { components: [{ type: 'HEADER', format: 'TEXT', text: 'x'.repeat(61) }, BODY] },
      undefined,
    ],
    [
      'a header with two placeholders',
      { components: [{ type: 'HEADER', format: 'TEXT', text: '{{1}} {{2}}' }, BODY] },
      undefined,
    ],
    ['a header without its sample', { components: [{ type: 'HEADER', format: 'IMAGE' }, BODY] }, undefined],
    ['a placeholder in the footer', { components: [BODY, { type: 'FOOTER', text: 'Bye {{1}}' }] }, undefined],
    ['a footer that is too long', { components: [BODY, { type: 'FOOTER', text: 'x'.repeat(61) }] }, undefined],
    ['no buttons', withButtons(), undefined],
    ['a button that is too long', withButtons({ type: 'QUICK_REPLY', text: 'x'.repeat(26) }), undefined],
    [
      'eleven buttons',
      withButtons(...Array.from({ length: 11 }, () => ({ type: 'QUICK_REPLY', text: 'x' }))),
      undefined,
    ],
    [
      'three links',
      withButtons(...Array.from({ length: 3 }, () => ({ type: 'URL', text: 'x', url: 'https://a.example' }))),
      undefined,
    ],
    [
      'a link with a placeholder within',
      withButtons({ type: 'URL', text: 'x', url: 'https://a.example/{{1}}/b', example: ['a'] }),
      undefined,
    ],
    ['a link without its sample', withButtons({ type: 'URL', text: 'x', url: 'https://a.example/{{1}}' }), undefined],
    ['a code button outside authentication', { components: [BODY, OTP] }, undefined],
    ['authentication in its own words', authentication(BODY, OTP), undefined],
    [
      'authentication with a header',
      authentication({ type: 'HEADER', format: 'TEXT', text: 'x' }, { type: 'BODY' }, OTP),
      undefined,
    ],
    ['authentication without a button', authentication({ type: 'BODY' }), undefined],
    [
      'authentication for 91 minutes',
      authentication({ type: 'BODY' }, { type: 'FOOTER', code_expiration_minutes: 91 }, OTP),
      undefined,
    ],
    [
      'authentication without its app',
      authentication({ type: 'BODY' }, { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'ONE_TAP' }] }),
      undefined,
    ],
  ])('are refused with %s', async (_, template, subcode) => {
    const answer = await create(template);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 100 } } });
    expect(answer.body.error?.['error_subcode']).toBe(subcode);
    expect(await names()).toEqual([]);
  });

  it('are paged by 25, without gap or repeat while others are deleted', async () => {
    const all = Array.from({ length: 60 }, (_, index) => `t${String(index).padStart(2, '0')}`);
    for (const name of all) fixture.platform.reviewTemplate(name, { status: 'APPROVED' });
    const { paging, data } = (await list()).body as { paging: { next: string; cursors: object }; data: unknown[] };
    expect(data).toHaveLength(25);
    expect(paging.cursors).toEqual({ before: expect.any(String), after: expect.any(String) });
    await fixture.call('DELETE', `${fixture.templatesPath}?name=t24`);

    const seen = data.map((template) => (template as { name: string }).name);
    let next: string | undefined = paging.next;
    while (next !== undefined) {
      const page = (await (await fixture.request(next, {})).json()) as {
        data: { name: string }[];
        paging: { next?: string };
      };
      seen.push(...page.data.map(({ name }) => name));
      next = page.paging.next;
    }
    expect(seen).toEqual(all);
    const [, after] = /after=(\w+)/.exec(paging.next) ?? [];
    expect(await names(`?limit=3&after=${after}`)).toEqual(['t25', 't26', 't27']);
  });

  it('are found by name, status, language and category, with the fields that are asked for', async () => {
    fixture.platform.reviewTemplate('a', { status: 'APPROVED', category: 'marketing' });
    fixture.platform.reviewTemplate('a', { status: 'REJECTED', language: 'de' });
    fixture.platform.reviewTemplate('b', { status: 'PENDING', category: 'UTILITY' });
    expect(await names('?name=a')).toEqual(['a', 'a']);
    expect(await names('?status=APPROVED')).toEqual(['a']);
    expect(await names('?language=de&name=a')).toEqual(['a']);
    expect(await names('?category=UTILITY')).toEqual(['b']);
    expect((await list('?name=none')).body).toEqual({ data: [] });
    expect((await list('?name=b&fields=status,name,quality_score')).body['data']).toEqual([
      { status: 'PENDING', name: 'b', id: expect.any(String) },
    ]);
    for (const query of ['?fields=colour', '?limit=0', '?limit=x', '?after=!']) {
      expect(await list(query)).toMatchObject({ status: 400, body: { error: { code: 100 } } });
    }
  });

  it('are deleted in all languages, or one by its id', async () => {
    for (const language of ['en', 'de', 'fr']) await create({ language });
    const [template] = (await list('?language=de')).body['data'] as { id: string }[];
    const remove = (query: string) => fixture.call('DELETE', `${fixture.templatesPath}${query}`);
    const missing = { status: 400, body: { error: { code: 100, error_subcode: 2593002 } } };
    expect(await remove(`?name=welcome&hsm_id=${template!.id}`)).toEqual({ status: 200, body: { success: true } });
    expect(await remove(`?name=welcome&hsm_id=${template!.id}`)).toMatchObject(missing);
    expect(await names()).toHaveLength(2);
    expect(await remove('?name=welcome')).toEqual({ status: 200, body: { success: true } });
    expect(await names()).toEqual([]);
    expect(await remove('?name=welcome')).toMatchObject(missing);
    expect(await remove('')).toMatchObject({ status: 400, body: { error: { code: 100 } } });
  });
});
