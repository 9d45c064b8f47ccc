import { getCountries } from 'libphonenumber-js/max';

const COUNTRY_CODES: ReadonlySet<string> = new Set(getCountries());

/** Whether the text is the upper-case code of a country or territory that `parseRecipient` can return. */
export function isCountryCode(code: string): boolean {
  return COUNTRY_CODES.has(code);
}
