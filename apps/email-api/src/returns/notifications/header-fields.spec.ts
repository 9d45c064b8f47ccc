import { anyCodePoint } from '@heliograph/testing';
import fc from 'fast-check';
import { readHeaderFields, withoutComments } from './header-fields';

const fieldsOf = (text: string) => Object.fromEntries(readHeaderFields(text).fields);

describe('header fields', () => {
  it.each(['\r\n', '\n'])('end at the first empty line, with line endings %j', (end) => {
    const text = ['A: 1', 'b:2', 'C :  3 ', '', 'D: 4'].join(end);
    const { fields, end: at } = readHeaderFields(text);
    expect(Object.fromEntries(fields)).toEqual({ a: '1', b: '2', c: '3' });
    expect(text.slice(at)).toBe('D: 4');
  });

  it('are unfolded, and the first field of a name is used', () => {
    expect(fieldsOf('A: 1\r\n\t2\r\n   3\r\nA: 4\r\n 5\r\nB:\r\n 6')).toEqual({ a: '1 2 3', b: '6' });
  });

  it('are parsed when lines between them are not header fields', () => {
    expect(fieldsOf(' folded into nothing\r\nno field\r\n: no name\r\nA B: 1\r\nA: 2\r\n')).toEqual({ a: '2' });
  });

  it('are limited in length and number', () => {
    const long = fieldsOf(`A: ${'x'.repeat(10_000)}\r\nB: 1\r\n ${'y'.repeat(3_000)}\r\n ${'z'.repeat(3_000)}\r\nC: 1`);
    expect([long['a']?.length, long['b']?.length, long['c']].map((size) => Number(size) <= 4_000)).toEqual([
      true,
      true,
      true,
    ]);
    const many = Array.from({ length: 2_000 }, (_, index) => `F${index}: x`).join('\r\n');
    expect(Object.keys(fieldsOf(many))).toHaveLength(500);
  });

  it('are parsed from any text without reading beyond its end', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), (text) => {
        expect(readHeaderFields(text).end).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});

it.each([
  ['failed (it (really) did)', 'failed'],
  ['(a)b(c)d', 'bd'],
  ['"a (b" c', '"a (b" c'],
  ['a \\(b', 'a \\(b'],
  ['(a \\) b) c', 'c'],
  ['(never closed', ''],
  ['a) b', 'a) b'],
])('the value %j without comments is %j', (value, expected) => {
  expect(withoutComments(value)).toBe(expected);
});
