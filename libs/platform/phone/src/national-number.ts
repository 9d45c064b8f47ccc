import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';

/** The E.164 form of a number as it is dialed within a country (ISO 3166-1 alpha-2); null if it is not valid there. */
export function readNationalNumber(text: string, country: string): string | null {
  const parsed = parsePhoneNumberFromString(text, { defaultCountry: country as CountryCode, extract: false });
  return parsed?.isValid() ? parsed.number : null;
}
