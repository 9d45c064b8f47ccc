import type { AppError } from '@heliograph/errors';
import { expectLinear } from '@heliograph/testing';
import fc from 'fast-check';
import { parseEmailTemplate, renderEmailTemplate } from './email-template';

function outcome(source: string, variables: Record<string, unknown> = {}): string {
  try {
    const parsed = parseEmailTemplate({ subject: null, html: null, text: source });
    return renderEmailTemplate(parsed, variables).text ?? '';
  } catch (error) {
    const { code, message } = error as AppError;
    return `${code} ${message}`;
  }
}

describe('a hostile template', () => {
  it.each(['include', 'render', 'layout', 'block'])('cannot read files: %s', (tag) => {
    expect(outcome(`{% ${tag} "/etc/passwd" %}`)).toMatch(`INVALID_TEMPLATE text, line 1, column 1: tag "${tag}" not`);
  });

  it('can read only own properties of the data', () => {
    const data = { o: { a: 1 }, s: 'x', l: [1], n: 1 };
    const names = [
      'constructor',
      '__proto__',
      'prototype',
      'toString',
      'valueOf',
      'hasOwnProperty',
      '__defineGetter__',
    ];
    for (const name of names) {
      for (const root of Object.keys(data)) {
        expect(outcome(`[{{ ${root}.${name} }}{{ ${root}["${name}"] }}]`, data)).toBe('[]');
        expect(outcome(`[{{ ${root}.${name}.${name} }}{{ ${root}[name] }}]`, { ...data, name })).toBe('[]');
      }
      expect(outcome(`[{% for i in (1..1) %}{{ forloop.${name} }}{{ forloop[name] }}{% endfor %}]`, { name })).toBe(
        '[]',
      );
      expect(outcome(`[{{ l | map: "${name}" }}{{ nil.${name} }}{{ empty["${name}"] }}]`, data)).toBe('[]');
    }
    expect(outcome('{% for i in (1..2) %}{{ forloop.next }}{{ forloop.index }}{% endfor %}')).toBe('12');
  });

  it('prints values with the names of built-in properties as data', () => {
    const given = JSON.parse(
      '{"__proto__": {"x": 1}, "constructor": {"name": "c"}, "o": {"__proto__": {"y": 2}}}',
    ) as object;
    expect(outcome('{{ __proto__.x }}{{ constructor.name }}{{ o.y }}{{ o["__proto__"].y }}', { ...given })).toBe('1c2');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('does not change prototypes', () => {
    outcome('{% increment __proto__ %}{% assign __proto__ = "x" %}{% capture constructor %}y{% endcapture %}');
    expect(outcome('{% assign __proto__ = "x" %}{{ __proto__ }}')).toBe('x');
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('x');
    expect({}.constructor).toBe(Object);
  });

  it('does not call functions', () => {
    const run = jest.fn();
    const getter = Object.defineProperty({}, 'x', { get: run, enumerable: false });
    for (const value of [run, { a: run }, new Date(), new Map(), Symbol('x'), 1n, Object.create({ x: 1 }), [run]]) {
      expect(outcome('{{ v }}', { v: value })).toMatch(/^INVALID_REQUEST variables\.v/);
    }
    expect(outcome('[{{ v.x }}]', { v: getter })).toBe('[]');
    expect(run).not.toHaveBeenCalled();
  });

  it('does not print objects', () => {
    expect(outcome('{{ v }}', { v: { a: 1 } })).toContain('an object cannot be printed');
    expect(outcome('{{ v | upcase }}', { v: { a: 1 } })).toMatch(/^INVALID_TEMPLATE/);
    expect(outcome('{{ v | json }}', { v: { a: [1, null] } })).toBe('{"a":[1,null]}');
  });

  it.each([
    ['without an end', '(9007199254740992..9007199254740994)'],
    ['to a billion', '(1..1000000000)'],
    ['to a large variable', '(1..large)'],
    ['from minus a billion', '(-1000000000..1)'],
    ['to an array', '(1..list)'],
    ['to a counted variable', '(1..m)'],
    ['to the end of another range', '(1..(1..20000).last)'],
  ])('rejects the range %s when it is rendered, not when it is saved', (_what, range) => {
    const given = { a: 1, large: 1e300, list: [1, 2] };
    for (const use of [
      `{% for i in ${range} %}{% endfor %}`,
      `{% if a == ${range} %}{% endif %}`,
      `{% case a %}{% when ${range} %}{% endcase %}`,
      `{{ a | concat: ${range} }}`,
      `{% assign b = ${range} %}`,
    ]) {
      const source = `{% assign m = 9007199254740992 | plus: 2 %}${use}`;
      expect(() => parseEmailTemplate({ subject: null, html: source, text: null })).not.toThrow();
      expect(outcome(source, given)).toMatch(/^INVALID_TEMPLATE .*range/);
    }
  });

  it('supports ranges with variables, which are required', () => {
    const source = '{% for i in (1..n) %}{{ i }}{% endfor %}{% for i in (from..3) %}{{ i }}{% endfor %}';
    expect(outcome(source, { n: 3, from: 2 })).toBe('12323');
    expect(parseEmailTemplate({ subject: null, html: source, text: null }).variables).toEqual(['n', 'from']);
    expect(outcome(source, { n: 'x', from: 9 })).toBe('');
  });

  const long = 'a'.repeat(300_000);
  const slowPattern = `${'a'.repeat(1_000)}b${'a'.repeat(1_000)}`;
  const rows = Array.from({ length: 3_000 }, (_, x) => ({ x }));
  const doubled = '{% assign l = "a,b" | split: "," %}' + '{% assign l = l | concat: l %}'.repeat(14);
  it.each([
    ['nested loops', '{% for i in (1..9999) %}{% for j in (1..9999) %}x{% endfor %}{% endfor %}', {}],
    ['empty loops', '{% for i in l %}{% for j in l %}{% endfor %}{% endfor %}', { l: rows }],
    ['a text that doubles', '{% assign a = "ab" %}' + '{% assign a = a | append: a %}'.repeat(60), {}],
    [
      'a capture that doubles',
      '{% assign a = "ab" %}' + '{% capture a %}{{ a }}{{ a }}{% endcapture %}'.repeat(60),
      {},
    ],
    [
      'a raw capture that doubles',
      '{% assign a = "ab" %}' + '{% capture a %}{{ a | raw }}{{ a }}{% endcapture %}'.repeat(60),
      {},
    ],
    ['a list that doubles', doubled + '{% assign l = l | concat: l %}'.repeat(20), {}],
    ['compared lists', `${doubled}{% for i in (1..1000) %}{% if l == l %}{% endif %}{% endfor %}`, {}],
    [
      'lists compared with contains',
      `${doubled}{% for i in (1..1000) %}{% if l contains "c" %}{% endif %}{% endfor %}`,
      {},
    ],
    ['a slow search pattern', '{{ v | replace: p, "x" }}', { v: long, p: slowPattern }],
    ['a slow search pattern with contains', '{% if v contains p %}{% endif %}', { v: long, p: slowPattern }],
    [
      'many pieces',
      '{% for i in (1..99) %}{% assign b = v | split: "" | join: "xx" | split: "" %}{% endfor %}',
      { v: long },
    ],
    ['many sorts', '{% for i in (1..999) %}{% assign b = rows | sort: "x" %}{% endfor %}', { rows }],
    ['many lookups', '{% for i in (1..999) %}{% assign b = rows | where: "x", 1 %}{% endfor %}', { rows }],
    ['many dates', '{% for i in (1..9999) %}{{ "2026-01-01" | date: "%A %B %c" }}{% endfor %}', {}],
    ['many time zones', '{% for i in (1..9999) %}{{ "2026-01-01" | date: "%H", "Asia/Tokyo" }}{% endfor %}', {}],
    ['a date with a large width', '{{ "2026-01-01" | date: "%99999999d" }}', {}],
    ['fractions with a large width', '{{ "2026-01-01" | date: "%99999999N" }}', {}],
    ['long conditions', `{% for i in (1..9999) %}{% if a${' == a'.repeat(800)} %}{% endif %}{% endfor %}`, {}],
    ['a list that is printed often', `${doubled}{% for i in (1..9999) %}{{ l }}{% endfor %}`, {}],
  ])('is stopped by its budget: %s', (_what, source, variables) => {
    // The template is stopped by its step count, which is the same on every machine, before the time limit.
    expect(outcome(source, variables)).toMatch(/^INVALID_TEMPLATE text, line 1, column \d+: it does too much work/);
  });

  it.each([
    ['a format of 1,000 words', '{{ "2026-01-01" | date: f }}', { f: '%A'.repeat(1_000) }, 'the format of a date'],
    ['a list as a format', '{{ "2026-01-01" | date: f }}', { f: ['%A'] }, 'the format of a date'],
    ['an unknown zone', '{{ "2026-01-01" | date: "%H", "Mars/Base" }}', {}, 'time zone'],
    ['a very long field name', '{{ l | map: f }}', { l: rows, f: 'a.'.repeat(100_000) }, 'the name of a field'],
    ['an expression as a field', '{{ l | where: "(1..9)" }}', { l: rows }, 'the name of a field'],
    [
      'a list as the value of case',
      '{% case l %}{% when l %}{% endcase %}',
      { l: rows },
      'case must be a single value',
    ],
    [
      'a list as the limit of for',
      '{% for i in l limit: l %}{% endfor %}',
      { l: rows },
      'a bound of for must be a single value',
    ],
    [
      'a list as the columns of tablerow',
      '{% tablerow i in l cols: l %}{% endtablerow %}',
      { l: rows },
      'tablerow must be a single value',
    ],
    ['a list as the group of cycle', '{% cycle l: "a" %}', { l: rows }, 'the group of cycle must be a single value'],
    ['31 levels of nesting', '{% if a %}'.repeat(31) + '{% endif %}'.repeat(31), {}, 'at most 30 levels deep'],
    ['400 levels of nesting', '{% if a %}'.repeat(400) + '{% endif %}'.repeat(400), {}, 'at most 30 levels deep'],
    ['1,001 tags', '{{ a }}'.repeat(1_001), {}, 'at most 1000 tags'],
    ['1,001 lines of a tag', `{% liquid${'\n#'.repeat(1_001)} %}`, {}, 'at most 1000 tags'],
    ['a tag of 5,000 characters', `{{ a${' '.repeat(5_000)}}}`, {}, 'a tag can have at most 4096'],
    ['tags of 40,000 characters', `{{ a${' '.repeat(4_000)}}}`.repeat(10), {}, 'at most 32768 characters in total'],
    ['nested brackets', `{{ ${'a['.repeat(2_000)} }}`, {}, ''],
    ['150,000 unclosed outputs', '{{'.repeat(150_000), {}, 'not closed'],
    ['150,000 unclosed tags', '{%'.repeat(150_000), {}, 'not closed'],
    ['a filter with an expression', '{{ l | where_exp: "x", "x" }}', { l: rows }, 'undefined filter: where_exp'],
    ['a list that contains itself', '{% assign l = l | push: l %}', { l: rows }, 'undefined filter: push'],
    [
      'one megabyte of output',
      '{{ v }}{{ v }}{{ v }}'.repeat(2),
      { v: long },
      'the output has more than 1048576 characters',
    ],
  ])('is rejected: %s', (_what, source, variables, reason) => {
    const refused = outcome(source, variables);
    expect(refused).toMatch(/^INVALID_TEMPLATE text/);
    expect(refused).toContain(reason);
    expect(refused.length).toBeLessThan(400);
  });

  it.each<[string, number, (pieces: number) => string]>([
    ['levels of nesting', 1_000, (n) => '{% if a %}'.repeat(n) + '{% endif %}'.repeat(n)],
    ['tags', 20_000, (n) => '{{ a }}'.repeat(n)],
    ['lines of a tag', 20_000, (n) => `{% liquid${'\n#'.repeat(n)} %}`],
    ['spaces in a tag', 200_000, (n) => `{{ a${' '.repeat(n)}}}`],
    ['brackets', 20_000, (n) => `{{ ${'a['.repeat(n)} }}`],
    ['unclosed outputs', 150_000, (n) => '{{'.repeat(n)],
    ['unclosed tags', 150_000, (n) => '{%'.repeat(n)],
  ])('is rejected in linear time for its size: many %s', (_what, pieces, sourceOf) => {
    expectLinear(pieces, sourceOf, (source) => outcome(source, {}));
  });

  it('can render a long receipt', () => {
    const lines = Array.from({ length: 500 }, (_, i) => ({ name: `Item ${i}`, price: i, at: 1_790_000_000 + i }));
    const source =
      '{% for line in lines %}{{ line.name }}{% if line.price > 5 %} {{ line.price | times: 2 }}{% endif %} ' +
      '{{ line.at | date: "%Y-%m-%d" }}\n{% endfor %}';
    expect(outcome(source, { lines }).split('\n')).toHaveLength(501);
  });

  it('results in text or an AppError for any input', () => {
    const pieces = [
      '{{',
      '}}',
      '{%',
      '%}',
      ' a',
      ' | ',
      'size',
      'map: ',
      '"x"',
      '(1..3)',
      'for i in ',
      'endfor',
      'if ',
      'endif',
    ];
    const more = [
      'a.b',
      '[a]',
      '.first',
      'assign b = ',
      'raw',
      'liquid\n',
      'case ',
      'when ',
      'endcase',
      ' == ',
      ' contains ',
      '\n',
      ':',
    ];
    const source = fc.array(fc.constantFrom(...pieces, ...more), { maxLength: 25 }).map((list) => list.join(''));
    const value = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>;
    fc.assert(
      fc.property(source, value, value, (template, a, i) => {
        expect(outcome(template, { a, i })).not.toMatch(/^undefined /);
      }),
      { numRuns: 1_000 },
    );
  });
});
