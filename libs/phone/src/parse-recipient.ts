import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** A number that the numbering plans know. */
export interface Recipient {
  /** A plus and 7 to 15 digits (ITU-T E.164). */
  e164: string;
  /** ISO 3166-1 alpha-2 code that the plan gives: Guernsey is GG, not GB; Canada is CA, not US. */
  country: string;
}

const MIN_DIGITS = 7;
const MAX_DIGITS = 15;
const PLUS = 0x2b;
const BLANK = 0x20;

/**
 * Reads a number in international form: digits alone, or after a plus, or after the blank that an unescaped plus becomes
 * in a query string. Null when it is anything else (national, punctuated, an extension), when full metadata calls it
 * invalid, and when its calling code belongs to no country. Costs about 10 µs; whatever is not plain digits of a sane
 * length is refused before a regular expression sees it.
 */
export function parseRecipient(raw: string): Recipient | null {
  const first = raw.charCodeAt(0);
  const start = first === PLUS || first === BLANK ? 1 : 0;
  const digits = raw.length - start;
  if (digits < MIN_DIGITS || digits > MAX_DIGITS) return null;
  for (let i = start; i < raw.length; i++) {
    const unit = raw.charCodeAt(i);
    if (unit < 0x30 || unit > 0x39) return null;
  }
  const e164 = `+${start === 0 ? raw : raw.slice(1)}`;
  const parsed = parsePhoneNumberFromString(e164, { extract: false });
  // The parser drops a trunk prefix behind the calling code (+44 0 79...); such a number is not E.164.
  if (parsed?.country === undefined || parsed.number !== e164 || !parsed.isValid()) return null;
  return { e164, country: parsed.country };
}
