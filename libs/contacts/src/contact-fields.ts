import { readEmailAddress, isCountryCode, parseNumber, readTypedNumber } from '@heliograph/addresses';
import { isStorableText } from '@heliograph/service-kit';
import type { AttributeValue, ContactData } from './contact';

export const MAX_NAME_LENGTH = 200;
export const MAX_ATTRIBUTES = 50;
const MAX_ATTRIBUTE_NAME_LENGTH = 64;
const MAX_ATTRIBUTE_LENGTH = 1_000;

/** The rule of each field, for messages: `email must be …`. */
export const FIELD_RULES: Readonly<Record<keyof ContactData, string>> = {
  email: 'must be an email address such as ann@example.com',
  phone: 'must be a number in international format such as +919811111111',
  firstName: `must be text of 1 to ${MAX_NAME_LENGTH} characters`,
  lastName: `must be text of 1 to ${MAX_NAME_LENGTH} characters`,
  language: 'must be a language tag such as en or pt-BR',
  country: 'must be an ISO 3166-1 alpha-2 code such as IN',
  timeZone: 'must be an IANA time zone such as Asia/Kolkata',
};

const LANGUAGE_TAG = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/;

const READERS: Readonly<Record<keyof ContactData, (text: string) => string | null>> = {
  email: readEmailAddress,
  phone: readPhone,
  firstName: readName,
  lastName: readName,
  language: (text) => (LANGUAGE_TAG.test(text) ? (Intl.getCanonicalLocales(text)[0] ?? null) : null),
  country: (text) => (isCountryCode(text.toUpperCase()) ? text.toUpperCase() : null),
  timeZone: readTimeZone,
};

/** Returns the stored form of a field; null if the value is invalid. */
export function readContactField(field: keyof ContactData, value: unknown): string | null {
  if (!isStorableText(value)) return null;
  try {
    return READERS[field](value.trim());
  } catch {
    // Intl throws a RangeError for tags that match the pattern but are not well-formed.
    return null;
  }
}

export function isAttributeName(name: string): boolean {
  return isStorableText(name, MAX_ATTRIBUTE_NAME_LENGTH) && name.trim() !== '';
}

/** Text, a finite number or a boolean. */
export function isAttributeValue(value: unknown): value is AttributeValue {
  return typeof value === 'number' ? Number.isFinite(value) : typeof value === 'boolean' || isText(value);
}

function isText(value: unknown): boolean {
  return isStorableText(value, MAX_ATTRIBUTE_LENGTH);
}

/** Accepts only E.164 with or without the plus. The number must exist in the numbering plans. */
function readPhone(text: string): string | null {
  const e164 = parseNumber(text)?.e164;
  return e164 !== undefined && readTypedNumber(e164) === e164 ? e164 : null;
}

function readName(text: string): string | null {
  return text !== '' && text.length <= MAX_NAME_LENGTH ? text : null;
}

const timeZones = new Map<string, string>(Intl.supportedValuesOf('timeZone').map((zone) => [zone.toLowerCase(), zone]));

function readTimeZone(text: string): string | null {
  const known = timeZones.get(text.toLowerCase());
  if (known !== undefined) return known;
  // Links such as Asia/Calcutta are not in the list. Offsets such as +05:30 are not zones.
  if (!/^[A-Za-z][\w+-]*(?:\/[\w+-]+){0,2}$/.test(text)) return null;
  new Intl.DateTimeFormat('en', { timeZone: text });
  return text.replace(/(?<![A-Za-z])[a-z]/g, (letter) => letter.toUpperCase());
}
