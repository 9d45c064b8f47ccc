import { isJsonObject } from '@heliograph/service-kit';

/** Functions that read fields of the provider's objects. A field with an unexpected type counts as absent. */
export type Fields = Record<string, unknown>;

const MAX_ID_LENGTH = 300;
const MAX_DIGITS = 20;
const NOT_DIGITS = /\D/g;
const NUMBER = /^\+?(\d{1,20})$/;
const SECONDS = /^\d{9,12}$/;
/** 2000-01-01; smaller values are not timestamps. */
const EARLIEST_MS = 946_684_800_000;
const DAY_MS = 86_400_000;

export function fieldsOf(value: unknown): Fields {
  return isJsonObject(value) ? value : {};
}

/** Returns a non-empty text with a limited length. A number is converted to its digits. */
export function textOf(value: unknown, maxLength = MAX_ID_LENGTH): string | null {
  const text = Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && text !== '' && text.length <= maxLength ? text : null;
}

/** Returns a phone number as a plus and digits. */
export function numberOf(value: unknown): string | null {
  const digits = NUMBER.exec(textOf(value) ?? '')?.[1];
  return digits === undefined ? null : `+${digits}`;
}

/** Like `numberOf`, for a formatted number with spaces, hyphens and parentheses. */
export function displayedNumberOf(value: unknown): string | null {
  const digits = (textOf(value) ?? '').replace(NOT_DIGITS, '');
  return digits === '' || digits.length > MAX_DIGITS ? null : `+${digits}`;
}

/** Reads a timestamp in Unix seconds. Returns the current time if it is invalid or more than a day in the future. */
export function timestampOf(value: unknown, now: Date): string {
  const text = textOf(value) ?? '';
  const at = SECONDS.test(text) ? Number(text) * 1000 : NaN;
  return (at >= EARLIEST_MS && at <= now.getTime() + DAY_MS ? new Date(at) : now).toISOString();
}
