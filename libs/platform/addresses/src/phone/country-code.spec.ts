import { isCountryCode } from './country-code';

describe('isCountryCode', () => {
  it.each(['IN', 'GB', 'GG', 'US', 'CA', 'KZ'])('accepts %s', (code) => expect(isCountryCode(code)).toBe(true));

  it.each(['', 'in', 'I', 'IND', 'XX', 'ZZ', '001', ' IN', 'constructor', '__proto__'])('rejects %j', (code) =>
    expect(isCountryCode(code)).toBe(false),
  );
});
