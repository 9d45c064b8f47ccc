import { CREDIT_TYPES } from '@heliograph/contracts';
import { isId } from '@heliograph/database';
import { addressKey, readEmailAddress, parseRecipient } from '@heliograph/addresses';
import { isStorableText, parseScheduledAt } from '@heliograph/service-kit';

/** A filter of a report. */
export interface ReportFilter {
  /** Completes the sentence "filters.to must …". */
  must: string;
  isValid(value: unknown): boolean;
  /** Converts a valid value to its stored form. */
  read?(value: string): string;
  /** Returns the SQL condition on the rows; `parameter` is the placeholder of the value. */
  condition(parameter: string): string;
}

const isText = (value: unknown): value is string => typeof value === 'string';

export const oneOf = (column: string, words: readonly string[]): ReportFilter => ({
  must: `be one of: ${words.join(', ')}`,
  isValid: (value) => isText(value) && words.includes(value),
  condition: (parameter) => `${column} = ${parameter}`,
});

export const id = (column: string): ReportFilter => ({
  must: 'be an id',
  isValid: isId,
  condition: (parameter) => `${column} = ${parameter}::uuid`,
});

export const text = (column: string, maxLength: number): ReportFilter => ({
  must: `be a string of at most ${maxLength} characters`,
  isValid: (value) => isStorableText(value, maxLength),
  condition: (parameter) => `${column} = ${parameter}`,
});

export const number = (column: string): ReportFilter => ({
  must: 'be a phone number in E.164 format, such as +919876543210',
  isValid: (value) => isText(value) && parseRecipient(value) !== null,
  read: (value) => parseRecipient(value)?.e164 ?? value,
  condition: (parameter) => `${column} = ${parameter}`,
});

export const address = (condition: (parameter: string) => string): ReportFilter => ({
  must: 'be an email address, such as ann@example.com',
  isValid: (value) => isText(value) && readEmailAddress(value) !== null,
  read: (value) => addressKey(readEmailAddress(value) ?? value),
  condition,
});

export const after = (column: string): ReportFilter => ({
  must: 'be an RFC 3339 timestamp with a zone, such as 2026-11-20T10:12:28Z',
  isValid: (value) => isText(value) && parseScheduledAt(value) !== null,
  // PostgreSQL does not accept every offset of RFC 3339.
  read: (value) => parseScheduledAt(value)?.timestamp ?? value,
  condition: (parameter) => `${column} > ${parameter}::timestamptz`,
});

export const creditType = (column: string): ReportFilter => oneOf(column, CREDIT_TYPES);
