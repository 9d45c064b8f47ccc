import { anyCodePoint } from '@heliograph/testing';
import fc from 'fast-check';
import { FieldError, parseQueryString, parseUrlEncoded, readFlag, readJsonFields } from '@heliograph/service-kit';
import { normalizeSendForm, normalizeSendJson, SEND_FIELD_NAMES, type SendField } from './normalize-send';

const form = (text: string) => normalizeSendForm(parseQueryString(text));
const readJson = (text: string) => readJsonFields(Buffer.from(text));
const json = (text: string) => normalizeSendJson(readJson(text));
const reasonOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof FieldError) return error.reason;
    throw error;
  }
  return 'none';
};
const aliases = Object.entries(SEND_FIELD_NAMES).flatMap(([field, names]) =>
  names.map((name) => [name, field] as [string, SendField]),
);

describe('parseUrlEncoded', () => {
  it('decodes plus signs, escapes, empty values and repeated names', () => {
    expect([...parseQueryString('a=1+2&b=%2B%c3%A9&c&d=&&e=x=y&a=3&=z')]).toEqual([
      ['a', ['1 2', '3']],
      ['b', ['+é']],
      ['c', ['']],
      ['d', ['']],
      ['e', ['x=y']],
      ['', ['z']],
    ]);
  });

  it.each([
    ['a=%zz', '%zz'],
    ['a=100%', '100%'],
    ['a=%4', '%4'],
    ['a=%%41', '%A'],
    ['a=%u0041', '%u0041'],
  ])('keeps the malformed escape in %s', (text, value) => expect(parseQueryString(text).get('a')).toEqual([value]));

  it('marks escapes that are not UTF-8, only in their own field', () => {
    const pairs = parseQueryString('a=%ff&b=ok');
    expect(pairs.get('a')).toEqual(['\ud800']);
    expect(pairs.get('b')).toEqual(['ok']);
  });

  it('treats property names of prototypes and brackets as ordinary names', () => {
    const pairs = parseQueryString('__proto__=1&constructor=2&a[b]=3&__proto__[x]=4');
    expect([...pairs.keys()]).toEqual(['__proto__', 'constructor', 'a[b]', '__proto__[x]']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('accepts at most 1,000 fields', () => {
    const fields = (count: number) => Array.from({ length: count }, (_, i) => `f${i}=`).join('&');
    expect(parseQueryString(fields(1000)).size).toBe(1000);
    expect(reasonOf(() => parseQueryString(fields(1001)))).toBe('TOO_MANY_FIELDS');
    expect(reasonOf(() => parseQueryString('a&'.repeat(500_000)))).toBe('TOO_MANY_FIELDS');
    expect(parseQueryString('&'.repeat(1_000_000)).size).toBe(0);
  });

  it('parses the output of URLSearchParams to the original pairs', () => {
    const pair = fc.tuple(fc.string({ unit: anyCodePoint }), fc.string({ unit: anyCodePoint }));
    fc.assert(
      fc.property(fc.array(pair), (pairs) => {
        const read = [...parseUrlEncoded(Buffer.from(new URLSearchParams(pairs).toString()))];
        const expected = new Map<string, string[]>();
        for (const [name, value] of pairs) expected.set(name, [...(expected.get(name) ?? []), value]);
        expect(read).toEqual([...expected]);
      }),
    );
  });

  it('parses ASCII text in the same way as URLSearchParams', () => {
    const text = fc.string({ unit: fc.constantFrom(...'a=&+%4189cC ;[]'), maxLength: 30 });
    fc.assert(
      fc.property(text, (query) => {
        const read = [...parseQueryString(query)].flatMap(([name, values]) => values.map((value) => [name, value]));
        const expected = [...new URLSearchParams(query.replace(/^\?/, ''))];
        expect(read.map(String).sort()).toEqual(
          expected.map(([name, value]) => String([lone(name), lone(value)])).sort(),
        );
      }),
      { numRuns: 500 },
    );
  });
  const lone = (value: string) => value.replaceAll('\ufffd', '\ud800');
});

describe('readJsonFields', () => {
  it('parses an object with and without a byte order mark', () => {
    expect(readJson('{"a":1}')).toEqual({ a: 1 });
    expect(readJson('\ufeff{"a":1}')).toEqual({ a: 1 });
  });

  it.each(['', '[]', 'null', '1', '"a"', 'true', '{', '{"a":1}x', "{'a':1}", '{"a":NaN}', '<a/>'])(
    'rejects %j',
    (text) => expect(reasonOf(() => readJson(text))).toBe('MALFORMED'),
  );

  it('rejects deep nesting at any position in bounded time', () => {
    const deep = '['.repeat(400_000) + ']'.repeat(400_000);
    expect(reasonOf(() => readJson(deep))).toBe('MALFORMED');
    expect(reasonOf(() => readJson(`{"variables":${deep}}`))).toBe('MALFORMED');
    expect(reasonOf(() => readJson('{"a":'.repeat(150_000) + '1' + '}'.repeat(150_000)))).toBe('MALFORMED');
    expect(readJson('{"a":' + '['.repeat(31) + ']'.repeat(31) + '}')).toHaveProperty('a');
  });

  it('row 1: refuses more than 20,000 values at any position, and counts none inside strings', () => {
    const list = (count: number) => `{"a":[${Array(count).fill('1').join(',')}]}`;
    expect(readJson(list(19_999))).toHaveProperty('a');
    expect(reasonOf(() => readJson(list(20_001)))).toBe('TOO_MANY_FIELDS');
    expect(reasonOf(() => readJson(`{"a":[${'{},'.repeat(10_000)}0]}`))).toBe('TOO_MANY_FIELDS');
    expect(readJson(JSON.stringify({ a: ',[{"\\'.repeat(50_000) }))).toHaveProperty('a');
    expect(reasonOf(() => readJsonFields(Buffer.from(list(11)), 10))).toBe('TOO_MANY_FIELDS');
  });

  it('row 1: parses more values in pieces if a route allows them, with the same result', () => {
    const recipients = Array.from({ length: 1_000 }, (_, index) => ({
      to: `+9198765${index}`,
      variables: {
        ...Object.fromEntries(Array.from({ length: 25 }, (__, name) => [`v${name}`, 'ü"\\\n'])),
        n: -1.5e3,
        no: null,
      },
    }));
    const text = JSON.stringify({ recipients, deep: [[[{ a: [] }]]], last: true }, null, 1);
    expect(readJsonFields(Buffer.from(text), 200_000)).toEqual(JSON.parse(text));
    expect(readJsonFields(Buffer.from(`\ufeff${text}\n`), 200_000)).toEqual(JSON.parse(text));
    for (const broken of [`${text}x`, text.slice(0, -1), text.replace('true', 'tru'), `[${text}]`]) {
      expect(reasonOf(() => readJsonFields(Buffer.from(broken), 200_000))).toBe('MALFORMED');
    }
    const invalid = Buffer.concat([
      Buffer.from(text.slice(0, -1)),
      Buffer.from([0x2c, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    ]);
    expect(reasonOf(() => readJsonFields(invalid, 200_000))).toBe('MALFORMED');
  });

  it('row 1: rejects text that contains mostly invalid UTF-8', () => {
    const text = Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(10_001, 0xff), Buffer.from('"}')]);
    expect(reasonOf(() => readJsonFields(text))).toBe('MALFORMED');
    expect(reasonOf(() => parseUrlEncoded(Buffer.alloc(10_001, 0xff)))).toBe('MALFORMED');
    const names = Buffer.from(
      Array.from({ length: 900 }, (_, index) => `a${index}=`).join(`${'\xff'.repeat(20)}&`),
      'latin1',
    );
    expect(reasonOf(() => parseUrlEncoded(names))).toBe('MALFORMED');
  });
});

describe('normalizeSendJson', () => {
  it.each(aliases)('accepts %s as an alias of %s', (name, field) => {
    expect(json(JSON.stringify({ [name]: 'x' }))).toEqual({ [field]: 'x' });
  });

  it('prefers the field name over its aliases, and the aliases in their order', () => {
    expect(json('{"phone":"3","recipient":"2","to":"1"}')).toEqual({ to: '1' });
    expect(json('{"phone":"3","mobile":"2"}')).toEqual({ to: '2' });
    expect(json('{"sender":"b","from":""}')).toEqual({ from: '' });
  });

  it('treats null as absent', () => {
    expect(json('{"to":null,"phone":"1","flash":null,"variables":null}')).toEqual({ to: '1' });
  });

  it('preserves types and keeps unknown fields for the validation', () => {
    expect(json('{"to":1,"flash":"true","scheduledAt":"","message":["x"],"variables":"x","extra":1}')).toEqual({
      to: 1,
      flash: 'true',
      scheduledAt: '',
      message: ['x'],
      variables: 'x',
      extra: 1,
    });
    expect(json('{"variables":[1]}')).toEqual({ variables: [1] });
  });

  it('accepts property names of prototypes as tokens without prototype pollution', () => {
    const fields = json('{"__proto__":{"to":"1"},"variables":{"__proto__":"p","constructor":"c","otp":null}}');
    expect(fields.to).toBeUndefined();
    expect(fields.variables).toEqual(
      new Map([
        ['__proto__', 'p'],
        ['constructor', 'c'],
        ['otp', null],
      ]),
    );
    expect(json('{"constructor":"x","toString":"y"}')).toEqual({ constructor: 'x', toString: 'y' });
  });
});

describe('normalizeSendForm', () => {
  it.each(aliases.filter(([, field]) => field !== 'flash'))('accepts %s as an alias of %s', (name, field) => {
    expect(form(`${name}=x`)).toEqual({ [field]: 'x' });
  });

  it.each(aliases)('rejects a repeated %s', (name) => {
    expect(reasonOf(() => form(`${name}=1&${name}=1`))).toBe('REPEATED');
  });

  it('rejects a repeated alias even if the field name is also present', () => {
    expect(reasonOf(() => form('to=1&phone=2&phone=3'))).toBe('REPEATED');
    expect(form('to=1&phone=2')).toEqual({ to: '1' });
  });

  it('keeps unknown fields for the validation, even if they are repeated', () => {
    const fields = { utm: '1', 'variables[otp]': '1', to: '1' };
    expect(form('utm=1&utm=2&variables[otp]=1&variables[otp]=2&to=1')).toEqual(fields);
  });

  it('collects var.<token> fields as variables', () => {
    expect(form('var.otp=42&var.order.id=7&var.=x&var=y&var.__proto__=p').variables).toEqual(
      new Map([
        ['otp', '42'],
        ['order.id', '7'],
        ['__proto__', 'p'],
      ]),
    );
    expect(form('to=1')).not.toHaveProperty('variables');
    expect(reasonOf(() => form('var.otp=1&var.otp=2'))).toBe('REPEATED');
  });

  it('parses variables from JSON, and prefers var.<token> over the same token', () => {
    const text = encodeURIComponent('{"a":1,"b":"2"}');
    expect(form(`variables=${text}`).variables).toEqual(new Map<string, unknown>([['a', 1], ['b', '2']])); // prettier-ignore
    expect(form(`var.b=3&variables=${text}&var.c=4`).variables).toEqual(
      new Map<string, unknown>([
        ['a', 1],
        ['b', '3'],
        ['c', '4'],
      ]),
    );
  });

  it.each(['', '{', '[]', 'null', '"x"', '['.repeat(1000)])(
    'keeps variables as text if they are not a JSON object: %j',
    (text) => {
      expect(form(`variables=${text}`)).toEqual({ variables: text });
      expect(form(`variables=${text}&var.a=1`)).toEqual({ variables: text });
    },
  );

  it('keeps an empty scheduledAt, and restores the plus sign of a time zone offset', () => {
    expect(form('scheduledAt=')).toEqual({ scheduledAt: '' });
    expect(form('at=2026-11-20T10:12:28+05:30&to=+91').scheduledAt).toBe('2026-11-20T10:12:28+05:30');
    expect(form('to=+91')).toEqual({ to: ' 91' });
  });

  it.each([
    ['true', true],
    ['TRUE', true],
    ['1', true],
    ['Yes', true],
    ['on', true],
    ['false', false],
    ['0', false],
    ['NO', false],
    ['off', false],
    ['', false],
    ['maybe', 'maybe'],
    ['2', '2'],
    [' true', ' true'],
  ])('parses flash=%j as %j', (text, flash) => {
    expect(form(`flash=${text}`)).toEqual({ flash });
    expect(readFlag(text)).toBe(flash);
  });

  it('throws only FieldError for arbitrary input', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (octets) => {
        reasonOf(() => normalizeSendForm(parseUrlEncoded(Buffer.from(octets))));
      }),
    );
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        reasonOf(() => json(text));
      }),
    );
  });
});
