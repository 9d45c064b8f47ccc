import { anyCodePoint } from '@heliograph/testing';
import fc from 'fast-check';
import { isGsm7, septetCount } from './gsm7';
import { chooseEncoding, countSegments, splitSegments } from './segment-count';

const LONE_SURROGATE = /\p{Surrogate}/u;

describe('countSegments', () => {
  it.each([
    ['', 'gsm-7', 0],
    ['a', 'gsm-7', 1],
    ['a'.repeat(160), 'gsm-7', 1],
    ['a'.repeat(161), 'gsm-7', 2],
    ['a'.repeat(306), 'gsm-7', 2],
    ['a'.repeat(307), 'gsm-7', 3],
    ['€'.repeat(80), 'gsm-7', 1],
    ['€'.repeat(81), 'gsm-7', 2],
    ['a'.repeat(158) + '€', 'gsm-7', 1],
    ['a'.repeat(159) + '€', 'gsm-7', 2],
    // 76 extension characters fill 152 septets of a part, the 153rd stays empty.
    ['€'.repeat(152), 'gsm-7', 2],
    ['€'.repeat(153), 'gsm-7', 3],
    ['ç'.repeat(70), 'ucs-2', 1],
    ['ç'.repeat(71), 'ucs-2', 2],
    ['ç'.repeat(134), 'ucs-2', 2],
    ['ç'.repeat(135), 'ucs-2', 3],
    ['😀'.repeat(35), 'ucs-2', 1],
    ['😀'.repeat(36), 'ucs-2', 2],
    // 33 pairs fill 66 units of a part, the 67th stays empty.
    ['😀'.repeat(66), 'ucs-2', 2],
    ['😀'.repeat(67), 'ucs-2', 3],
    ['a'.repeat(159) + '`', 'ucs-2', 3],
  ])('counts %j as %s with %i segments', (text, encoding, segments) => {
    expect(countSegments(text)).toEqual({ encoding, segments });
  });

  it('counts more segments than allowed, so that the caller can reject the text', () => {
    expect(countSegments('a'.repeat(153 * 255)).segments).toBe(255);
    expect(countSegments('a'.repeat(153 * 255 + 1)).segments).toBe(256);
  });
});

describe('splitSegments', () => {
  it('never splits an escape sequence', () => {
    expect(splitSegments('a'.repeat(152) + '€' + 'b'.repeat(10), 'gsm-7')).toEqual([
      'a'.repeat(152),
      '€' + 'b'.repeat(10),
    ]);
  });

  it('never splits a surrogate pair', () => {
    expect(splitSegments('ç'.repeat(66) + '😀' + 'b'.repeat(10), 'ucs-2')).toEqual([
      'ç'.repeat(66),
      '😀' + 'b'.repeat(10),
    ]);
  });

  it('throws when a text outside GSM-7 is split as GSM-7', () => {
    expect(() => splitSegments('ç', 'gsm-7')).toThrow(RangeError);
  });

  it('splits plain text as UCS-2 on request', () => {
    expect(splitSegments('a'.repeat(71), 'ucs-2')).toEqual(['a'.repeat(67), 'a'.repeat(4)]);
  });

  const units = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', '€', '{', 'ß'), maxLength: 800 }),
    fc.string({ unit: fc.constantFrom('a', 'ç', '😀', '€'), maxLength: 800 }),
    fc.string({ unit: anyCodePoint, maxLength: 400 }),
  );

  it('returns as many parts as counted, with whole characters, whose concatenation is the text', () => {
    fc.assert(
      fc.property(units, (text) => {
        const encoding = chooseEncoding(text);
        const parts = splitSegments(text, encoding);
        expect(parts.join('')).toBe(text);
        expect(countSegments(text)).toEqual({ encoding, segments: parts.length });
        const capacity = encoding === 'gsm-7' ? [160, 153] : [70, 67];
        const room = parts.length > 1 ? capacity[1]! : capacity[0]!;
        for (const part of parts) {
          expect(part.length).toBeGreaterThan(0);
          expect(encoding === 'gsm-7' ? septetCount(part) : part.length).toBeLessThanOrEqual(room);
          if (!LONE_SURROGATE.test(text)) expect(part).not.toMatch(LONE_SURROGATE);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('leaves at most one unit of a part empty', () => {
    fc.assert(
      fc.property(units, (text) => {
        const parts = splitSegments(text, chooseEncoding(text));
        for (const part of parts.slice(0, -1)) {
          expect(isGsm7(text) ? septetCount(part) : part.length).toBeGreaterThanOrEqual(isGsm7(text) ? 152 : 66);
        }
      }),
    );
  });
});
