import { getCountries } from 'libphonenumber-js/max';
import { exampleNumberOf } from './example-number';
import { parseRecipient } from './parse-recipient';

describe('exampleNumberOf', () => {
  it('row 35: returns a valid number of the calling code of every country', () => {
    for (const country of getCountries()) {
      expect([country, parseRecipient(exampleNumberOf(country) ?? '')?.e164]).toEqual([
        country,
        exampleNumberOf(country),
      ]);
    }
    expect([exampleNumberOf('IN'), exampleNumberOf('GB')]).toEqual(['+918123456789', '+447400123456']);
  });

  it.each(['', 'XX', 'in', 'constructor'])('returns null for %j', (country) => {
    expect(exampleNumberOf(country)).toBeNull();
  });
});
