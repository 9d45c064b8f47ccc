import fc from 'fast-check';
import { getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { readTypedNumber } from './typed-number';

const mobiles = getCountries().flatMap((country) => {
  const example = getExampleNumber(country, examples);
  if (!example) return [];
  const { number, nationalNumber } = example;
  return [{ country, number: String(number), nationalNumber: String(nationalNumber), example }];
});

describe('readTypedNumber', () => {
  it.each([
    ['4915112345677', 'DE', '+4915112345677'],
    ['49 151 12345677', 'DE', '+4915112345677'],
    ['015112345677', 'DE', '+4915112345677'],
    ['15112345677', 'DE', '+4915112345677'],
    ['493012345678', 'DE', '+493012345678'],
    ['6281234567890', 'ID', '+6281234567890'],
    ['38343201234', 'XK', '+38343201234'],
    ['919812345678', 'IN', '+919812345678'],
    ['9198123456', 'IN', '+919198123456'],
    ['3912345678', 'IT', '+393912345678'],
    ['447400123456', 'DE', '+447400123456'],
    ['011 49 151 12345677', 'US', '+4915112345677'],
    ['(202) 555-0123', 'US', '+12025550123'],
  ])('reads %j of %s as %s', (text, country, e164) => expect(readTypedNumber(text, country)).toBe(e164));

  it.each([
    ['+49 (0) 151 12345678', '+4915112345678'],
    ['+49 (0)151/123-45678', '+4915112345678'],
    ['0049 (0)151 12345678', '+4915112345678'],
    ['49 (0) 151 12345678', '+4915112345678'],
    ['+44 (0)7400 123456', '+447400123456'],
    ['+44 07400 123456', '+447400123456'],
    ['+351 (0) 912 345 678', '+351912345678'],
    ['+39 (0)2 12345678', '+390212345678'],
    ['+39 (0) 312 345 6789', '+393123456789'],
    ['\u202a+49\u00a0151\u20111234\u20135678\u202c', '+4915112345678'],
    ['＋４９１５１１２３４５６７８', '+4915112345678'],
    ['447400123456', '+447400123456'],
  ])('reads %j without a country as %s', (text, e164) => expect(readTypedNumber(text)).toBe(e164));

  it.each([
    '',
    '+',
    '(0)',
    '4915112345678.0',
    '+4915112345678.00',
    '4915112345678.',
    '4915112345678,0',
    '4.915E+12',
    '4,91511E+12',
    '+4940',
    '+99999999999',
    '+12025550123x5',
    'tel:+12025550123',
    '+1 202 555 0123 / +1 202 555 0124',
    '+'.repeat(1_000),
    '1'.repeat(1_000),
  ])('rejects %j, with a country and without', (text) => {
    expect([readTypedNumber(text), readTypedNumber(text, 'DE')]).toEqual([null, null]);
  });

  it('reads a mobile number of each country in each notation, with that country as the default', () => {
    for (const { country, number, nationalNumber, example } of mobiles) {
      const national = example.formatNational();
      const notations = [
        number,
        number.slice(1),
        `00${number.slice(1)}`,
        example.formatInternational(),
        example.formatInternational().slice(1),
        example.formatInternational().replaceAll(' ', '-'),
        example.formatInternational().replaceAll(' ', '.'),
        example.formatInternational().replaceAll(' ', '\u00a0/'),
        example.formatInternational().replace(' ', ' (0) '),
        `00${example.formatInternational().slice(1).replace(' ', ' (0)')}`,
        national,
        national.replaceAll(/\D/g, ''),
        nationalNumber,
      ];
      expect([country, ...notations.map((text) => readTypedNumber(text, country))]).toEqual([
        country,
        ...notations.map(() => number),
      ]);
    }
  });

  it('reads a number with a plus or 00 alike for each default country', () => {
    for (const { number } of mobiles) {
      for (const { country } of mobiles) {
        const read = [number, `00${number.slice(1)}`].map((text) => readTypedNumber(text, country));
        expect([country, ...read]).toEqual([country, number, number]);
      }
    }
  });

  it('returns only numbers that the full metadata accepts', () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'+ 0123456789-()./'), minLength: 5, maxLength: 20 }),
      fc
        .tuple(fc.constantFrom(...mobiles), fc.nat(12), fc.constantFrom(...'0123456789'))
        .map(([{ number }, at, digit]) => [number.slice(0, at), digit, number.slice(at + 1)].join('')),
    );
    fc.assert(
      fc.property(text, fc.option(fc.constantFrom(...getCountries()), { nil: undefined }), (typed, country) => {
        const read = readTypedNumber(typed, country);
        if (read === null) return;
        const parsed = parsePhoneNumberFromString(read, { extract: false });
        expect([read, parsed?.number, parsed?.isValid()]).toEqual([read, read, true]);
      }),
      { numRuns: 2_000 },
    );
  });
});
