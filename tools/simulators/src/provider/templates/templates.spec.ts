import { ProviderFixture } from '../provider.fixture';

const BODY = { type: 'BODY', text: 'Hi {{1}}, welcome', example: { body_text: [['Ann']] } };
const OTP = { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy' }] };
const APP = { package_name: 'com.example', signature_hash: 'abcdefghijk' };

let fixture: ProviderFixture;

beforeEach(async () => {
  fixture = await ProviderFixture.start();
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

describe('templates of the provider', () => {
  it('are pending until their review, and can be sent after their approval', async () => {
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
    fixture.provider.reviewTemplate('welcome', { status: 'approved' });
    expect(await fixture.send(message)).toMatchObject({ status: 200 });
  });

  it('exist once per language', async () => {
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
      'an image header',
      { components: [{ type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::a'] } }, BODY] },
    ],
    [
      'a code that can be copied',
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
  ])('can have %s', async (_, template) => {
    expect(await create(template)).toMatchObject({ status: 200, body: { status: 'PENDING' } });
  });

  const authentication = (...components: object[]) => ({ category: 'AUTHENTICATION', components });
  const withBody = (text: string, example?: object) => ({
    components: [{ type: 'BODY', text, ...(example ? { example } : {}) }],
  });

  it.each([
    ['no body', { components: [{ type: 'FOOTER', text: 'Bye' }] }, undefined],
    ['a placeholder at the start', withBody('{{1}}, hi', { body_text: [['a']] }), 2388299],
    ['more placeholders than words', withBody('a {{1}} {{2}} {{3}} b', { body_text: [['a', 'b', 'c']] }), 2388293],
    ['no samples', withBody('Hi {{1}}, you'), undefined],
    ['authentication without a button', authentication({ type: 'BODY' }), undefined],
  ])('are rejected with %s', async (_, template, subcode) => {
    const answer = await create(template);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 100 } } });
    expect(answer.body.error?.['error_subcode']).toBe(subcode);
    expect(await names()).toEqual([]);
  });

  it('are paginated by 25 without gaps or duplicates during deletions', async () => {
    const all = Array.from({ length: 60 }, (_, index) => `t${String(index).padStart(2, '0')}`);
    for (const name of all) fixture.provider.reviewTemplate(name, { status: 'APPROVED' });
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

  it('can be filtered by name, status, language and category, and contain the requested fields', async () => {
    fixture.provider.reviewTemplate('a', { status: 'APPROVED', category: 'marketing' });
    fixture.provider.reviewTemplate('a', { status: 'REJECTED', language: 'de' });
    fixture.provider.reviewTemplate('b', { status: 'PENDING', category: 'UTILITY' });
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

  it('are deleted in all languages, or in one language by id', async () => {
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
