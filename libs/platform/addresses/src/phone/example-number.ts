import { getExampleNumber, isSupportedCountry } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';

/** A mobile number of the country in E.164, for error messages. Null for a code that is not a country. */
export function exampleNumberOf(country: string): string | null {
  return isSupportedCountry(country) ? (getExampleNumber(country, examples)?.number ?? null) : null;
}
