import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** A dialable number, which need not exist in the numbering plans. */
export interface DialedNumber {
  /** A plus and 7 to 15 digits (ITU-T E.164). */
  e164: string;
  /** ISO 3166-1 alpha-2 code; null if the country is ambiguous or unknown. */
  country: string | null;
}

const PLUS = 0x2b;
const BLANK = 0x20;
const FORM = /^[1-9]\d{6,14}$/;

/**
 * Parses a number in international format: digits, optionally after a plus or after the space that an unescaped plus
 * becomes in a query string. Null for anything else (national, punctuated, too short, too long). The upstream decides
 * whether the number exists, because numbering plans change faster than metadata.
 */
export function parseNumber(raw: string): DialedNumber | null {
  const first = raw.charCodeAt(0);
  const digits = first === PLUS || first === BLANK ? raw.slice(1) : raw;
  if (!FORM.test(digits)) return null;
  const e164 = `+${digits}`;
  return { e164, country: parsePhoneNumberFromString(e164, { extract: false })?.country ?? null };
}
