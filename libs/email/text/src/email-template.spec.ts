import type { AppError } from '@heliograph/errors';
import fc from 'fast-check';
import { parseEmailTemplate, renderEmailTemplate, type EmailTemplateSource } from './email-template';
import { MAX_PART_LENGTH } from './parse-part';

type Variables = Record<string, unknown>;

function render(source: Partial<EmailTemplateSource>, variables: Variables = {}) {
  return renderEmailTemplate(parseEmailTemplate({ subject: null, html: null, text: null, ...source }), variables);
}
const text = (source: string, variables?: Variables) => render({ text: source }, variables).text;
const html = (source: string, variables?: Variables) => render({ html: source }, variables).html;

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    const { code, message } = error as AppError;
    return `${code} ${message}`;
  }
  throw new Error('was not refused');
}

describe('a template', () => {
  it('is rendered in all its parts', () => {
    const source = { subject: 'Hi {{ name }}', html: '<p>{{ name }}</p>' };
    expect(render(source, { name: 'Ann & Bob' })).toEqual({
      subject: 'Hi Ann & Bob',
      html: '<p>Ann &amp; Bob</p>',
      text: null,
    });
    expect(render({})).toEqual({ subject: null, html: null, text: null });
  });

  it('prints texts, numbers, booleans and lists, and nothing for missing values', () => {
    const variables = { a: 'x', b: 0.5, c: false, d: ['p', 1], e: {}, f: '' };
    expect(text('{{ a }}{{ b }}{{ c }}{{ d }}{{ e.gone }}[{{ f }}]', variables)).toBe('x0.5falsep1[]');
  });

  it('row 27: prints the placeholder of the unsubscribe link in html and text without a value of the caller', () => {
    const source = '{% if unsubscribe_url %}{{unsubscribe_url}}{% endif %}';
    expect(render({ html: source, text: `{{ unsubscribe_url | default: "x" }}` })).toMatchObject({
      html: '{{ unsubscribe_url }}',
      text: '{{ unsubscribe_url }}',
    });
    const parsed = parseEmailTemplate({ subject: null, html: '{{ unsubscribe_url }} {{ name }}', text: null });
    expect([parsed.variables, parsed.required]).toEqual([['name'], ['name']]);
    expect(html('{{ unsubscribe_url }}', { unsubscribe_url: null })).toBe('{{ unsubscribe_url }}');
    expect(html('{{ unsubscribe_url }}', { unsubscribe_url: 'https://own.example/?a&b' })).toBe(
      'https://own.example/?a&amp;b',
    );
  });

  it('row 27: does not support the unsubscribe link in a subject', () => {
    expect(refusal(() => render({ subject: '{{ unsubscribe_url }}' }))).toBe(
      'MISSING_VARIABLES The template needs a value in variables for: unsubscribe_url. Send it, or give the template a default, such as {{ unsubscribe_url | default: "" }}.',
    );
    expect(render({ subject: '{{ unsubscribe_url }}' }, { unsubscribe_url: 'x' }).subject).toBe('x');
  });

  it('supports loops, conditions and filters', () => {
    const items = [
      { name: 'Tea', price: 2.5 },
      { name: 'Milk', price: 1 },
    ];
    const source =
      '{% for item in items %}{{ forloop.index }}. {{ item.name }} {{ item.price | times: 2 | round: 1 }};{% endfor %}' +
      '{{ items | map: "price" | sum }} {{ items | where: "name", "Tea" | size }} {{ items | sort: "price" | map: "name" | join: "," }}' +
      '{% case n %}{% when 1, 2 %} few{% else %} many{% endcase %}{% for i in (1..9) limit: n %} {{ i }}{% endfor %}';
    expect(text(source, { items, n: 2 })).toBe('1. Tea 5;2. Milk 2;3.5 1 Milk,Tea few 1 2');
  });

  it('formats dates independently of the machine', () => {
    expect(text('{{ at | date: "%e %B %Y, %H:%M" }}', { at: '2026-11-20T22:12:28Z' })).toBe('20 November 2026, 22:12');
    expect(text('{{ at | date: "%H:%M", "Asia/Kolkata" }}', { at: '2026-11-20T22:12:28Z' })).toBe('03:42');
  });

  it('keeps no state between renderings and does not change the variables', () => {
    const parsed = parseEmailTemplate({ subject: '{% increment n %}', html: '{% increment n %}', text: null });
    const variables = Object.freeze({ n: 5 });
    expect(renderEmailTemplate(parsed, variables)).toMatchObject({ subject: '5', html: '5' });
    expect(renderEmailTemplate(parsed, variables)).toMatchObject({ subject: '5', html: '5' });
  });

  it('reports all missing variables, including null but not the empty text', () => {
    const source = '{{ a }}{{ b }}{{ c }}{{ d | default: 1 }}{{ toString }}';
    expect(refusal(() => text(source, { a: '', b: null, c: undefined }))).toBe(
      'MISSING_VARIABLES The template needs a value in variables for: b, c, toString. Send it, or give the template a default, such as {{ b | default: "" }}.',
    );
    expect(text(source, { a: '', b: 0, c: false, toString: 'x' })).toBe('0false1x');
  });

  it.each([
    ['text', '{{ a', 'text, line 1, column 1: output "{{ a" not closed'],
    ['html', 'x\n  {% if a %}', 'html, line 2, column 3: tag {% if a %} not closed'],
    ['subject', 'Hi {{ a | nope }}', 'subject, line 1, column 4: undefined filter: nope'],
    ['html', '\n\n{% nope %}', 'html, line 3, column 1: tag "nope" not found'],
    ['text', '{% endif %}', 'text, line 1, column 1: tag "endif" not found'],
    ['subject', 'Hi\r\nBcc: x', 'subject: must be one line without control characters'],
    ['subject', 'x'.repeat(999), 'subject: must have at most 998 characters'],
    ['html', 'x'.repeat(MAX_PART_LENGTH.html + 1), 'html: must have at most 524288 characters'],
    ['text', 'a\0', 'text: must not contain NUL'],
    ['text', '\ud83d', 'text: must not contain NUL or unpaired surrogates'],
  ])('is rejected with the position of the error: %s %#', (part, source, message) => {
    const refused = refusal(() => parseEmailTemplate({ subject: null, html: null, text: null, [part]: source }));
    expect(refused).toContain(`INVALID_TEMPLATE ${message}`);
  });

  it('rejects a value that would break the subject', () => {
    for (const value of ['a\r\nBcc: eve@example.com', 'a\nb', 'a\rb', 'a\0b', 'a\u2028b', 'x'.repeat(999)]) {
      expect(refusal(() => render({ subject: '{{ v }}' }, { v: value }))).toMatch(
        /^INVALID_REQUEST (subject|variables)/,
      );
    }
    expect(refusal(() => render({ subject: '{{ "a\\nb" }}' }))).toMatch(/^INVALID_REQUEST subject/);
    expect(text('{{ v }}', { v: 'a\r\nb' })).toBe('a\r\nb');
  });
});

describe('html and text', () => {
  it.each([
    ['{{ v | split: "" | first }}', '😀Ann'],
    ['{{ v | replace: "", "-" }}', '😀Ann'],
    ['{{ v | url_decode }}', '%00'],
  ])('cannot contain NUL or half a character: %s of %j', (source, value) => {
    for (const part of ['html', 'text']) {
      expect(refusal(() => render({ [part]: source }, { v: value }))).toBe(
        `INVALID_REQUEST ${part}: must not contain NUL or unpaired surrogates after rendering. Correct its variables.`,
      );
      expect(render({ [part]: source }, { v: 'Ann' })).toMatchObject({ [part]: expect.any(String) as string });
    }
  });
});

describe('the error of a template', () => {
  it.each([
    ['the name of a filter', () => render({ text: `{{ a | ${'é'.repeat(181)}${'😀'.repeat(20)} }}` })],
    ['the name of a variable', () => render({ text: 'x' }, { [`${'n'.repeat(99)}😀`]: 'a\0' })],
  ])('contains no half of a character of %s', (_what, work) => {
    expect(refusal(work)).toMatch(/^INVALID_/);
    expect(refusal(work).isWellFormed()).toBe(true);
  });
});

describe('html', () => {
  const v = `<b a="1" c='2'>&`;
  const escaped = '&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;';

  it.each([
    ['an output', '{{ v }}'],
    ['an echo', '{% echo v %}'],
    ['a cycle', '{% cycle v %}'],
    ['a list', '{{ l }}'],
    ['a filter after raw', '{{ v | raw | append: "" }}'],
    ['the escape filter, only once', '{{ v | escape }}'],
    ['escape_once', '{{ v | escape_once }}'],
    ['newline_to_br', '{{ v | newline_to_br }}'],
    ['a default', '{{ nothing | default: v }}'],
    ['a property of an object', '{% for pair in o %}{{ pair[1] }}{% endfor %}'],
  ])('escapes %s', (_what, source) => {
    // The filters of Liquid write another reference for a double quote.
    expect(html(source, { v, l: [v], o: { x: v } })?.replaceAll('&#34;', '&quot;')).toBe(escaped);
  });

  it('does not escape a value with the filter raw', () => {
    expect(html('{{ v | raw }}', { v })).toBe(v);
    expect(html('{{ v | newline_to_br }}', { v: '<\n' })).toBe('&lt;<br />\n');
    expect(text('{{ v }}', { v })).toBe(v);
  });

  it('never contains a tag from a value', () => {
    const filters = fc.subarray(['upcase', 'strip', 'escape', 'newline_to_br', 'url_decode', 'json', 'strip_html']);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'<>"\'&;lt#%3Ca\n') }), filters, (value, names) => {
        const source = ['{{ v', ...names].join(' | ') + ' }}';
        let out: string | null = null;
        try {
          out = html(source, { v: value });
        } catch (error) {
          expect((error as AppError).code).toBe('INVALID_TEMPLATE');
        }
        expect(out?.replaceAll('<br />', '') ?? '').not.toMatch(/[<>"']/);
      }),
      { numRuns: 300 },
    );
  });
});
