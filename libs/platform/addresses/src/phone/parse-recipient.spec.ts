import { anyCodePoint, expectLinear } from '@heliograph/testing';
import fc from 'fast-check';
import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { isCountryCode } from './country-code';
import { parseRecipient } from './parse-recipient';

const exampleNumbers = getCountries().flatMap((country) => {
  const number = getExampleNumber(country, examples)?.number;
  return number === undefined ? [] : [{ country, number: String(number) }];
});
const anExample = fc.constantFrom(...exampleNumbers);

describe('parseRecipient', () => {
  it.each([
    ['+919812345678', 'IN'],
    ['+447400123456', 'GB'],
    ['+447781123456', 'GG'],
    ['+447797712345', 'JE'],
    ['+447624123456', 'IM'],
    ['+12025550123', 'US'],
    ['+14165550123', 'CA'],
    ['+77710009998', 'KZ'],
    ['+79123456789', 'RU'],
    ['+393123456789', 'IT'],
  ])('assigns %s to %s', (number, country) => {
    expect(parseRecipient(number)).toEqual({ e164: number, country });
  });

  it('accepts the example number of every country, in that country or in one that shares the range', () => {
    const shared = new Map(
      Object.entries({ AX: 'FI', BL: 'GP', CC: 'AU', CX: 'AU', EH: 'MA', IM: 'GB', MF: 'GP', SJ: 'NO', VA: 'IT' }),
    );
    expect(exampleNumbers.length).toBeGreaterThan(230);
    for (const { country, number } of exampleNumbers) {
      expect(parseRecipient(number)).toEqual({ e164: number, country: shared.get(country) ?? country });
    }
  });

  it('accepts the digits without the plus, or with a space instead of it', () => {
    const expected = { e164: '+919812345678', country: 'IN' };
    expect(parseRecipient('919812345678')).toEqual(expected);
    expect(parseRecipient(' 919812345678')).toEqual(expected);
  });

  it.each([
    ['an empty text', ''],
    ['only a plus sign', '+'],
    ['a national number', '09812345678'],
    ['a national number without its trunk prefix', '9812345678'],
    ['an international dialling prefix', '00919812345678'],
    ['a trunk prefix after the calling code', '+4407400123456'],
    ['blanks', '+91 98123 45678'],
    ['hyphens', '+91-98123-45678'],
    ['brackets', '+1(202)5550123'],
    ['an extension', '+12025550123x5'],
    ['a tel URI', 'tel:+12025550123'],
    ['two plus signs', '++12025550123'],
    ['a space and a plus sign', ' +12025550123'],
    ['two spaces', '  12025550123'],
    ['a trailing space', '+12025550123 '],
    ['a trailing line break', '+12025550123\n'],
    ['a full-width plus sign', '＋12025550123'],
    ['Devanagari digits', '+९१९८१२३४५६७८'],
    ['NUL', '+12025550123\u0000'],
    ['a number that is too short for its country', '+91981234567'],
    ['a number that is too long for its country', '+9198123456789'],
    ['an area code that is not assigned', '+11995550123'],
    ['a calling code that is not assigned', '+999123456789'],
    ['a calling code without a country', '+870773111632'],
    ['six digits', '+123456'],
    ['sixteen digits', '+1234567890123456'],
    ['letters', '+1800FLOWERS'],
  ])('rejects %s', (_what, raw) => expect(parseRecipient(raw)).toBeNull());

  it('rejects a very long text in a short time', () => {
    for (const piece of ['1', ' ']) {
      expectLinear(
        1_000_000,
        (length) => '+' + piece.repeat(length),
        (text) => expect(parseRecipient(text)).toBeNull(),
      );
    }
  });

  it('returns E.164 and a known country, or null, for any input', () => {
    const anything = fc.oneof(
      fc.string({ unit: anyCodePoint }),
      fc.string({ unit: fc.constantFrom(...'+ 0123456789-(). ;x'), maxLength: 20 }),
      fc.bigInt({ min: 0n, max: 10n ** 16n }).map((digits) => `+${digits}`),
    );
    fc.assert(
      fc.property(anything, (raw) => {
        const recipient = parseRecipient(raw);
        if (recipient === null) return;
        expect(recipient.e164).toBe(`+${raw.replace(/^[+ ]/, '')}`);
        expect(recipient.e164).toMatch(/^\+[1-9]\d{6,14}$/);
        expect(isCountryCode(recipient.country)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('returns its own result unchanged', () => {
    fc.assert(
      fc.property(anExample, fc.constantFrom('', '+', ' '), ({ number }, sign) => {
        const first = parseRecipient(sign + number.slice(1));
        expect(first).not.toBeNull();
        expect(parseRecipient(first!.e164)).toEqual(first);
      }),
    );
  });

  it('rejects a valid number with an inserted character that is not a digit', () => {
    const outsider = fc
      .string({ unit: anyCodePoint, minLength: 1, maxLength: 1 })
      .filter((unit) => !/^[0-9]$/.test(unit));
    fc.assert(
      fc.property(anExample, outsider, fc.nat(), ({ number }, unit, position) => {
        const at = 1 + (position % number.length);
        expect(parseRecipient(number.slice(0, at) + unit + number.slice(at))).toBeNull();
      }),
    );
  });
});
