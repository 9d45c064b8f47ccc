import fc from 'fast-check';
import { base, readTemplate, refused } from './read-template.fixture';

const BODY = { type: 'BODY', text: 'Hello there' };
const read = (...components: unknown[]) => readTemplate({ ...base, components }).components;

describe('a template', () => {
  it.each(['a', 'order_update_2', 'x'.repeat(512), '0', '_'])('accepts the name %s', (name) => {
    expect(readTemplate({ ...base, name, components: [BODY] }).name).toBe(name);
  });

  it.each(['', 'A', 'a b', 'a-b', 'é', 'x'.repeat(513), 'a\n', null, 7, undefined])('rejects the name %j', (name) =>
    refused(() => readTemplate({ ...base, name, components: [BODY] })),
  );

  it.each(['en', 'en_US', 'fil', 'zh_CN'])('accepts the language %s', (language) => {
    expect(readTemplate({ ...base, language, components: [BODY] }).language).toBe(language);
  });

  it.each([undefined, null])('defaults to en_US for the language %j', (language) => {
    expect(readTemplate({ ...base, language, components: [BODY] }).language).toBe('en_US');
  });

  it.each(['', 'english', 'EN', 'en-US', 'en_us', 'en_US_x', ' en', 7, {}])('rejects the language %j', (language) =>
    refused(() => readTemplate({ ...base, language, components: [BODY] })),
  );

  it.each(['utility', 'UTILITY', 'Marketing', 'authentication'])('accepts the category %s', (category) => {
    expect(readTemplate({ ...base, category, components: [BODY] }).category).toBe(category.toLowerCase());
  });

  it.each(['service', '', 'otp', null, undefined, 7, ['utility']])('rejects the category %j', (category) =>
    refused(() => readTemplate({ ...base, category, components: [BODY] }), 'INVALID_CATEGORY'),
  );

  it.each<[string, unknown]>([
    ['a missing array', undefined],
    ['an object', {}],
    ['an empty array', []],
    ['an array without objects', ['BODY']],
    ['an unknown type', [BODY, { type: 'VIDEO' }]],
    ['a carousel without cards', [BODY, { type: 'CAROUSEL' }]],
    ['a component without a type', [{ text: 'x' }]],
    ['two bodies', [BODY, { type: 'body', text: 'again' }]],
    ['components without a body', [{ type: 'FOOTER', text: 'x' }]],
  ])('rejects %s as components', (_, components) => refused(() => readTemplate({ ...base, components })));

  it('returns the components in order, with types in upper case, and only with known fields', () => {
    expect(
      read(
        { type: 'buttons', buttons: [{ type: 'quick_reply', text: 'Yes', color: 'red' }] },
        { type: 'footer', text: 'Bye', x: 1 },
        { type: 'body', text: 'Hello there', __proto__: { y: 1 } },
        { type: 'header', text: 'Order' },
      ),
    ).toEqual([
      { type: 'HEADER', format: 'TEXT', text: 'Order' },
      { type: 'BODY', text: 'Hello there' },
      { type: 'FOOTER', text: 'Bye' },
      { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }] },
    ]);
  });

  describe('components for products and offers', () => {
    const image = { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['h'] } };
    const card = (text: string) => ({
      components: [image, { type: 'BODY', text }, { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Buy' }] }],
    });
    const carousel = { type: 'CAROUSEL', cards: [card('One'), card('Two')] };
    const offer = { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends soon', has_expiration: true } };

    it.each([
      ['a catalog', [BODY, { type: 'BUTTONS', buttons: [{ type: 'CATALOG', text: 'View catalog' }] }]],
      ['several products', [BODY, { type: 'BUTTONS', buttons: [{ type: 'MPM', text: 'View items' }] }]],
      [
        'a product',
        [{ type: 'HEADER', format: 'PRODUCT' }, BODY, { type: 'BUTTONS', buttons: [{ type: 'SPM', text: 'View' }] }],
      ],
      ['a carousel', [BODY, carousel]],
      ['a limited-time offer', [BODY, offer]],
    ])('are accepted for %s', (_, components) => expect(read(...components)).toEqual(components));

    it.each<[string, unknown[]]>([
      [
        'a catalog with another button',
        [
          {
            type: 'BUTTONS',
            buttons: [
              { type: 'CATALOG', text: 'x' },
              { type: 'QUICK_REPLY', text: 'y' },
            ],
          },
        ],
      ],
      ['a carousel with a footer', [carousel, { type: 'FOOTER', text: 'x' }]],
      ['11 cards', [{ type: 'CAROUSEL', cards: Array.from({ length: 11 }, () => card('x')) }]],
      ['cards with different structures', [{ type: 'CAROUSEL', cards: [card('x'), { components: [image] }] }]],
      [
        'a card with a text header',
        [{ type: 'CAROUSEL', cards: [{ components: [{ type: 'HEADER', format: 'TEXT', text: 'x' }] }] }],
      ],
      ['a text that is too long in a card', [{ type: 'CAROUSEL', cards: [card('x'.repeat(161))] }]],
      ['an offer with a text that is too long', [{ ...offer, limited_time_offer: { text: 'x'.repeat(17) } }]],
      ['an offer without a text', [{ type: 'LIMITED_TIME_OFFER' }]],
      ['an offer with a footer', [offer, { type: 'FOOTER', text: 'x' }]],
    ])('are rejected for %s', (_, components) => refused(() => read(BODY, ...components)));
  });

  const withTtl = (category: string, ttl: unknown) =>
    readTemplate({ ...base, category, components: [BODY], message_send_ttl_seconds: ttl }).message_send_ttl_seconds;

  it.each([
    ['utility', [-1, 30, 43_200, undefined]],
    ['authentication', [-1, 30, 900, undefined]],
    ['MARKETING', [43_200, 2_592_000, undefined]],
  ])('of the category %s accepts message_send_ttl_seconds %j', (category, values) =>
    expect(values.map((ttl) => withTtl(category, ttl))).toEqual(values),
  );

  it.each([
    ['utility', [0, 29, 43_201, 1_000.5, '60', true]],
    ['authentication', [-2, 29, 901]],
    ['marketing', [-1, 43_199, 2_592_001]],
  ])('of the category %s rejects message_send_ttl_seconds %j', (category, values) => {
    for (const ttl of values) refused(() => withTtl(category, ttl));
    expect(() => withTtl(category, 0)).toThrow(`category: ${category} `);
  });

  describe('the body', () => {
    it('has at most 1,024 characters, counted as code points', () => {
      expect(read({ type: 'BODY', text: '🙂'.repeat(1_024) })).toHaveLength(1);
      refused(() => read({ type: 'BODY', text: 'x'.repeat(1_025) }));
    });

    it.each<[string, unknown]>([
      ['nothing', undefined],
      ['blanks', '  \n'],
      ['a number', 7],
      ['a NUL', 'a\0b'],
      ['an unpaired surrogate', 'a\ud800b'],
      ['a placeholder at its start', '{{1}} is your order'],
      ['a placeholder at its end', 'Your order is {{1}}'],
      ['a placeholder and a space at its end', 'Your order is {{1}} '],
      ['a gap in the placeholder numbers', 'Hello {{1}} and {{3}} there'],
      ['a missing first placeholder', 'Hello {{2}} there'],
      ['the placeholder number zero', 'Hello {{0}} there'],
      ['a named placeholder', 'Hello {{name}} there'],
      ['a malformed placeholder', 'Hello {{1} there'],
      ['an empty placeholder', 'Hello {{}} there'],
      ['spaces in a placeholder', 'Hello {{ 1 }} there'],
      ['more placeholders than words', 'Hi {{1}} {{2}} {{3}} {{4}} you'],
    ])('rejects %s', (_, text) => refused(() => read({ type: 'BODY', text })));

    it('has a sample for every placeholder, given or generated', () => {
      const text = 'Hello {{1}}, order {{2}} is for {{1}} too.';
      const samples = (example: unknown) => read({ type: 'BODY', text, example })[0]?.['example'];
      expect(samples(undefined)).toEqual({ body_text: [['sample 1', 'sample 2']] });
      expect(samples({ body_text: [['Ann', '42']] })).toEqual({ body_text: [['Ann', '42']] });
      expect(samples({ body_text: ['Ann', '42'] })).toEqual({ body_text: [['Ann', '42']] });
      for (const wrong of [{ body_text: [['Ann']] }, { body_text: 'Ann' }, { body_text: [['Ann', 7]] }, [], 'x']) {
        refused(() => samples(wrong));
      }
    });
  });

  describe('the header', () => {
    const header = (more: object) => read({ type: 'HEADER', ...more }, BODY)[0];

    it('is text with at most one placeholder and its sample', () => {
      expect(header({ text: 'Order {{1}}' })).toMatchObject({ example: { header_text: ['sample'] } });
      expect(header({ format: 'text', text: 'Order {{1}}', example: { header_text: ['42'] } })).toMatchObject({
        format: 'TEXT',
        example: { header_text: ['42'] },
      });
      for (const text of ['x'.repeat(61), '{{1}} and {{2}}', 'a\nb', '{{2}}', '']) refused(() => header({ text }));
      refused(() => header({ text: 'Order {{1}}', example: { header_text: ['a', 'b'] } }));
    });

    it('is a media file with a sample handle, or a location', () => {
      const example = { header_handle: ['4::aW'] };
      expect(header({ format: 'image', example })).toEqual({ type: 'HEADER', format: 'IMAGE', example });
      expect(header({ format: 'LOCATION' })).toEqual({ type: 'HEADER', format: 'LOCATION' });
      for (const wrong of [undefined, {}, { header_handle: [] }, { header_handle: [7] }]) {
        refused(() => header({ format: 'VIDEO', example: wrong }));
      }
      refused(() => header({ format: 'GIF' }));
    });
  });

  it('has a footer of at most 60 characters without placeholders', () => {
    expect(read(BODY, { type: 'FOOTER', text: 'x'.repeat(60) })).toHaveLength(2);
    for (const text of ['x'.repeat(61), 'Bye {{1}}', '']) refused(() => read(BODY, { type: 'FOOTER', text }));
  });

  describe('the buttons', () => {
    const buttons = (...list: unknown[]) =>
      (read(BODY, { type: 'BUTTONS', buttons: list })[1] as unknown as { buttons: unknown[] }).buttons;
    const reply = { type: 'QUICK_REPLY', text: 'Yes' };
    const url = { type: 'URL', text: 'See', url: 'https://shop.example/orders' };

    it('accepts every type with samples', () => {
      expect(
        buttons(
          reply,
          { ...url, url: 'https://shop.example/{{1}}' },
          { ...url, url: 'https://shop.example/{{1}}', example: 'https://shop.example/42' },
          { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+15550100001' },
          { type: 'COPY_CODE', example: ['SAVE10'] },
          { type: 'FLOW', text: 'Sign up', flow_id: '1' },
        ),
      ).toEqual([
        reply,
        { ...url, url: 'https://shop.example/{{1}}', example: ['https://shop.example/sample'] },
        { ...url, url: 'https://shop.example/{{1}}', example: ['https://shop.example/42'] },
        { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+15550100001' },
        { type: 'COPY_CODE', example: 'SAVE10' },
        { type: 'FLOW', text: 'Sign up', flow_id: '1' },
      ]);
    });

    it.each<[string, unknown[]]>([
      ['none', []],
      ['eleven', Array.from({ length: 11 }, () => reply)],
      ['three URLs', [url, url, url]],
      [
        'two phone numbers',
        Array.from({ length: 2 }, () => ({ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+1' })),
      ],
      ['quick replies that are not adjacent', [reply, url, reply]],
      ['an unknown type', [{ type: 'OTP', text: 'x' }]],
      ['a text that is too long', [{ ...reply, text: 'x'.repeat(26) }]],
      ['a missing text', [{ type: 'QUICK_REPLY' }]],
      ['a control character in a URL', [{ ...url, url: 'https://a.example/\u0007' }]],
      ['an invalid URL', [{ ...url, url: 'javascript:alert(1)' }]],
      ['a URL with a placeholder in the middle', [{ ...url, url: 'https://x.example/{{1}}/a' }]],
      ['a URL with a second placeholder', [{ ...url, url: 'https://x.example/{{2}}' }]],
      ['an invalid phone number', [{ type: 'PHONE_NUMBER', text: 'Call', phone_number: 'Ann' }]],
      ['a code that is too long', [{ type: 'COPY_CODE', example: 'x'.repeat(16) }]],
      ['a missing code', [{ type: 'COPY_CODE' }]],
      ['two flow references', [{ type: 'FLOW', text: 'x', flow_id: '1', flow_name: 'y' }]],
      ['values that are not objects', ['x']],
    ])('rejects %s', (_, list) => refused(() => buttons(...list)));
  });

  it('is either parsed or rejected for any input', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom('utility', 'authentication'), (value, category) => {
        for (const components of [
          value,
          [value],
          [{ type: 'BODY', text: value }],
          [BODY, { type: 'BUTTONS', buttons: value }],
        ]) {
          try {
            readTemplate({ ...base, category, components });
          } catch (error) {
            expect(error).toMatchObject({ code: 'INVALID_REQUEST' });
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
