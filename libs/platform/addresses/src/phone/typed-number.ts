import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { parseRecipient } from './parse-recipient';

interface Reading {
  e164: string;
  isMobile: boolean;
}

const MAX_LENGTH = 100;
/** Spaces, the punctuation of phone numbers, and invisible characters that address books add, such as U+202A. */
const PUNCTUATION = /[\s().\-‐-―−/\p{Cf}]/gu;
/** The trunk prefix of national calls, which is not dialed after a calling code: `+44 (0)7400 123456`. */
const OPTIONAL_TRUNK_PREFIX = /(?<=\d\D*)\(\s*0\s*\)/;
/** A number that a spreadsheet has written as a decimal: `4915112345678.0`. The digits may be rounded. */
const DECIMAL = /^\+?\d+[.,]0*$/;
const DIGITS = /^\+?\d+$/;

/**
 * Reads a phone number as people and spreadsheets write it: with spaces and punctuation, with `+`, `00` or nothing before the
 * calling code, with a trunk prefix in parentheses; with a country (ISO 3166-1 alpha-2) also in national format. Returns E.164; null
 * if the full metadata does not know the number. Digits that can be a national number and a number with a calling code are
 * read as a mobile number if only one of them is one, else with the calling code of the country, else as a national number.
 */
export function readTypedNumber(text: string, country?: string): string | null {
  if (text.length > MAX_LENGTH || DECIMAL.test(text.trim())) return null;
  const written = text.normalize('NFKC');
  const withoutTrunkPrefix = written.replace(OPTIONAL_TRUNK_PREFIX, '');
  const read = readDigits(withoutTrunkPrefix.replace(PUNCTUATION, ''), country);
  if (read !== null || withoutTrunkPrefix === written) return read;
  // In some countries, such as Italy, the zero is part of the number.
  return readDigits(written.replace(PUNCTUATION, ''), country);
}

function readDigits(digits: string, country: string | undefined): string | null {
  if (!DIGITS.test(digits)) return null;
  if (digits.startsWith('+')) return international(digits);
  const dialed = digits.startsWith('00') ? international(`+${digits.slice(2)}`) : null;
  if (dialed !== null) return dialed;
  if (country === undefined || !isSupportedCountry(country)) return international(`+${digits}`);
  const prefixed = reading(`+${digits}`);
  const national = reading(digits, country);
  const readings = digits.startsWith(getCountryCallingCode(country)) ? [prefixed, national] : [national, prefixed];
  const valid = readings.filter((one) => one !== null);
  return (valid.find(({ isMobile }) => isMobile) ?? valid[0])?.e164 ?? null;
}

/** The library removes a trunk prefix after the calling code. */
function international(number: string): string | null {
  return parseRecipient(number)?.e164 ?? reading(number)?.e164 ?? null;
}

function reading(number: string, country?: string): Reading | null {
  const defaultCountry = country !== undefined && isSupportedCountry(country) ? country : undefined;
  const parsed = parsePhoneNumberFromString(number, { defaultCountry, extract: false });
  if (!parsed?.isValid()) return null;
  const type = parsed.getType();
  return { e164: parsed.number, isMobile: type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE' };
}
