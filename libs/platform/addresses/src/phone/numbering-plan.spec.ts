import fc from 'fast-check';
import {
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { countryOf } from './numbering-plan';

/** The decision of the library. */
function libraryCountryOf(e164: string): string | null {
  const parsed = parsePhoneNumberFromString(e164, { extract: false });
  return parsed?.isValid() && parsed.number === e164 ? (parsed.country ?? null) : null;
}

describe('countryOf', () => {
  const countries = getCountries();
  const digit = fc.integer({ min: 0, max: 9 });

  it('agrees with the library for example numbers of every country and their variations', () => {
    let decided = 0;
    let valid = 0;
    const differences: unknown[] = [];
    const check = (e164: string): void => {
      const country = countryOf(e164);
      if (country === undefined) return;
      decided += 1;
      if (country !== null) valid += 1;
      const expected = libraryCountryOf(e164);
      if (country !== expected) differences.push({ e164, country, expected });
    };
    for (const country of countries) {
      const number = String(getExampleNumber(country, examples)?.number);
      check(number);
      for (let at = 1; at < number.length; at++) {
        for (const value of '0123456789') {
          check(number.slice(0, at) + value + number.slice(at + 1));
          check(number.slice(0, at) + value + number.slice(at));
        }
        check(number.slice(0, at) + number.slice(at + 1));
      }
    }
    expect(differences).toEqual([]);
    expect(decided).toBeGreaterThan(20_000);
    expect(valid).toBeGreaterThan(5_000);
  });

  it('agrees with the library for any digits after a calling code', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...countries),
        fc.array(digit, { minLength: 4, maxLength: 12 }),
        (country, digits) => {
          const e164 = `+${getCountryCallingCode(country)}${digits.join('')}`;
          const found = countryOf(e164);
          if (found !== undefined) expect([e164, found]).toEqual([e164, libraryCountryOf(e164)]);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ['a calling code of several countries', '+12025550123'],
    ['a calling code without a country', '+870773111632'],
    ['a trunk prefix after the calling code', '+4908912345678'],
  ])('leaves %s to the library', (_what, e164) => expect(countryOf(e164)).toBeUndefined());
});
