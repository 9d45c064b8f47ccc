import type { FieldType, FormField } from '@heliograph/bot-catalog';
import { readEmailAddress } from '@heliograph/addresses';
import { isStorableText, isUrlText } from '@heliograph/service-kit';

/** The value of an answer, or the instruction for the visitor. */
export type ReadAnswer = { value: string | number } | { wrong: string };

/** Maximum length of free text fields in code points. */
const MAX_LINE_LENGTH = 1_000;
const MAX_TEXT_LENGTH = 4_000;
const MAX_ADDRESS_LENGTH = 2_000;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/;
const DECIMAL = /^[+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})$/;
const PHONE = /^[+(]?[\d\s()./-]+$/;
const MIN_DIGITS = 5;
const MAX_DIGITS = 20;

const EXAMPLES = {
  email: 'Enter an email address, such as name@example.com.',
  phone: 'Enter a phone number, such as +49 30 901820.',
  date: 'Enter a date as year, month and day, such as 2026-11-20.',
  time: 'Enter a time from 00:00 to 23:59, such as 14:30.',
  number: 'Enter a number, such as 12 or 3.5.',
  url: 'Enter the address of a page, such as https://example.com.',
} as const;

/** Validates the value of a field; `given` is not empty. */
export function readAnswer({ type, options = [] }: Pick<FormField, 'type' | 'options'>, given: unknown): ReadAnswer {
  if (type === 'number' && typeof given === 'number') {
    return Number.isFinite(given) ? { value: given } : { wrong: EXAMPLES.number };
  }
  if (!isStorableText(given))
    return { wrong: type in EXAMPLES ? EXAMPLES[type as keyof typeof EXAMPLES] : 'Enter a text.' };
  return readText(type, given.trim(), options);
}

function readText(type: FieldType, text: string, options: readonly string[]): ReadAnswer {
  switch (type) {
    case 'text':
      return within(text, MAX_LINE_LENGTH);
    case 'textarea':
      return within(text, MAX_TEXT_LENGTH);
    case 'email':
      return valid(readEmailAddress(text), EXAMPLES.email);
    case 'phone':
    case 'tel':
    case 'mobile':
      return valid(isPhone(text) ? text : null, EXAMPLES.phone);
    case 'select': {
      const chosen = options.find((option) => option.trim() === text);
      return valid(chosen ?? null, 'Choose one of the options.');
    }
    case 'date':
      return valid(isDate(text) ? text : null, EXAMPLES.date);
    case 'time':
      return valid(TIME.test(text) ? text : null, EXAMPLES.time);
    case 'number':
      return valid(isNumber(text) ? Number(text) : null, EXAMPLES.number);
    case 'url':
      return valid(isAddress(text) ? text : null, EXAMPLES.url);
  }
}

function valid(value: string | number | null, wrong: string): ReadAnswer {
  return value === null ? { wrong } : { value };
}

function within(text: string, most: number): ReadAnswer {
  const fits = text.length <= 2 * most && [...text].length <= most;
  return fits ? { value: text } : { wrong: `Shorten it to ${most} characters.` };
}

function isPhone(text: string): boolean {
  if (text.length > 2 * MAX_DIGITS || !PHONE.test(text)) return false;
  const digits = text.replace(/\D/g, '').length;
  return digits >= MIN_DIGITS && digits <= MAX_DIGITS;
}

/** A decimal number. It is stored unchanged. */
function isNumber(text: string): boolean {
  return DECIMAL.test(text) && (text.includes('.') || Number.isSafeInteger(Number(text)));
}

/** An existing calendar date. */
function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = DATE.exec(text) ?? [];
  const date = new Date(`${text}T00:00:00Z`);
  return Number(year) > 0 && date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
}

function isAddress(text: string): boolean {
  if (text.length > MAX_ADDRESS_LENGTH || !/^https?:\/\/[^\s<>"]+$/i.test(text)) return false;
  return isUrlText(text);
}
