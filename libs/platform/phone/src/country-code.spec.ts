import { isCountryCode } from './country-code';

describe('isCountryCode', () => {
  it.each(['IN', 'GB', 'GG', 'US', 'CA', 'KZ'])('knows %s', (code) => expect(isCountryCode(code)).toBe(true));

  it.each(['', 'in', 'I', 'IND', 'XX', 'ZZ', '001', ' IN', 'constructor', '__proto__'])('does not know %j', (code) =>
    expect(isCountryCode(code)).toBe(false),
  );
});
