import { getCountries } from 'libphonenumber-js/max';

const COUNTRY_CODES: ReadonlySet<string> = new Set(getCountries());

/** Whether this is the code, in capitals, of a country or territory that `parseRecipient` can answer with. */
export function isCountryCode(code: string): boolean {
  return COUNTRY_CODES.has(code);
}
