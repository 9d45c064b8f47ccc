import { isJsonObject } from '@heliograph/platform';

/** Objects of the platform are read field by field: of each only what is of the right kind, whatever else it holds. */
export type Fields = Record<string, unknown>;

const MAX_ID_LENGTH = 300;
const MAX_DIGITS = 20;
const NOT_DIGITS = /\D/g;
const NUMBER = /^\+?(\d{1,20})$/;
const SECONDS = /^\d{9,12}$/;
/** 2000-01-01: what lies before is not a time. */
const EARLIEST_MS = 946_684_800_000;
const DAY_MS = 86_400_000;

export function fieldsOf(value: unknown): Fields {
  return isJsonObject(value) ? value : {};
}

/** Text that is not empty, at most so long. A number counts as its digits. */
export function textOf(value: unknown, maxLength = MAX_ID_LENGTH): string | null {
  const text = Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && text !== '' && text.length <= maxLength ? text : null;
}

/** Digits after a plus. */
export function numberOf(value: unknown): string | null {
  const digits = NUMBER.exec(textOf(value) ?? '')?.[1];
  return digits === undefined ? null : `+${digits}`;
}

/** As `numberOf`, of a number that is written for people: with blanks, hyphens and brackets. */
export function displayedNumberOf(value: unknown): string | null {
  const digits = (textOf(value) ?? '').replace(NOT_DIGITS, '');
  return digits === '' || digits.length > MAX_DIGITS ? null : `+${digits}`;
}

/** A time in Unix seconds; now, where it is none or lies more than a day ahead. */
export function momentOf(value: unknown, now: Date): string {
  const text = textOf(value) ?? '';
  const at = SECONDS.test(text) ? Number(text) * 1000 : NaN;
  return (at >= EARLIEST_MS && at <= now.getTime() + DAY_MS ? new Date(at) : now).toISOString();
}
