import { AppError } from '@heliograph/errors';
import { anyCodePoint } from '@heliograph/testing';
import fc from 'fast-check';
import { fingerprint, readIdempotencyKey } from './idempotency-key';

const printable = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) });

describe('the Idempotency-Key header', () => {
  it('can be missing', () => expect(readIdempotencyKey(undefined)).toBeUndefined());

  it.each([
    ['bare', 'abc', 'abc'],
    ['quoted', '"abc"', 'abc'],
    ['quoted with escapes', '"a\\"b\\\\c"', 'a"b\\c'],
    ['with spaces around', '  abc  ', 'abc'],
    ['with spaces inside', 'a b', 'a b'],
    ['with one quote', 'a"b', 'a"b'],
    ['255 long', 'k'.repeat(255), 'k'.repeat(255)],
    ['255 long in quotes', `"${'k'.repeat(255)}"`, 'k'.repeat(255)],
  ])('can be %s', (_what, header, key) => expect(readIdempotencyKey(header)).toBe(key));

  it.each([
    ['empty', ''],
    ['blank', '   '],
    ['empty in quotes', '""'],
    ['256 long', 'k'.repeat(256)],
    ['with a tab', 'a\tb'],
    ['with a line break', 'a\nb'],
    ['with NUL', 'a\0b'],
    ['with DEL', 'a\x7f'],
    ['not ASCII', 'clé'],
  ])('is rejected if it is %s', (_what, header) => {
    expect(() => readIdempotencyKey(header)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }) as AppError);
  });

  it('is parsed to 1 to 255 printable characters or rejected, for any input', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyCodePoint }), printable), (header) => {
        let key: string | undefined;
        try {
          key = readIdempotencyKey(header);
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_REQUEST', status: 400 });
          return;
        }
        expect(key).toMatch(/^[\x20-\x7e]{1,255}$/);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is unchanged by quoting and parsing', () => {
    fc.assert(
      fc.property(
        printable.filter((key) => key.length >= 1 && key.length <= 255),
        (key) => {
          expect(readIdempotencyKey(`"${key.replace(/[\\"]/g, '\\$&')}"`)).toBe(key);
        },
      ),
    );
  });
});

describe('the fingerprint of a request', () => {
  const value = fc.jsonValue({ maxDepth: 4 });
  const shuffled = (input: unknown): unknown => {
    if (Array.isArray(input)) return input.map(shuffled);
    if (typeof input !== 'object' || input === null) return input;
    const entries = Object.entries(input).reverse();
    return Object.fromEntries(entries.map(([name, child]) => [name, shuffled(child)]));
  };

  it('does not depend on the order of fields', () => {
    fc.assert(fc.property(value, (input) => expect(fingerprint(shuffled(input))).toBe(fingerprint(input))));
  });

  it('does not depend on the order of a Map', () => {
    const entries: [string, string][] = [
      ['a', '1'],
      ['b', '2'],
    ];
    expect(fingerprint(new Map(entries))).toBe(fingerprint(new Map(entries.toReversed())));
  });

  it('differs for different requests', () => {
    fc.assert(
      fc.property(value, value, (one, other) => {
        const same = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        expect(fingerprint(one) === fingerprint(other)).toBe(same);
      }),
    );
  });

  it.each([
    [{ a: 1 }, { a: '1' }],
    [{ a: null }, {}],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [{ flash: true }, { flash: 'true' }],
    [new Map([['a', 'b']]), new Map([['b', 'a']])],
    [{ a: {} }, { a: [] }],
  ])('distinguishes %j from %j', (one, other) => expect(fingerprint(one)).not.toBe(fingerprint(other)));

  it('rejects a request that is nested too deeply', () => {
    let deep: object = {};
    for (let i = 0; i < 100_000; i++) deep = { deep };
    expect(() => fingerprint(deep)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }) as AppError);
  });

  function sorted(input: unknown): unknown {
    if (Array.isArray(input)) return input.map(sorted);
    if (typeof input !== 'object' || input === null) return input;
    const pairs = Object.entries(input)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, child]) => [name, sorted(child)]);
    return { pairs };
  }
});
