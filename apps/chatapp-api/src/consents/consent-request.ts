import { CONSENT_STATUSES, type ConsentDetails } from '@heliograph/chatapp-catalog';
import { AppError } from '@heliograph/errors';
import { parseNumber } from '@heliograph/phone';

const MAX_SOURCE = 100;
const MAX_NOTE = 1_000;

/** Validates the request body of a consent. Throws INVALID_NUMBER, INVALID_STATUS, INVALID_REQUEST. */
export function toConsent(fields: Record<string, unknown>): ConsentDetails {
  const number = typeof fields['number'] === 'string' ? parseNumber(fields['number']) : null;
  if (!number) throw new AppError('INVALID_NUMBER', 'number must be an E.164 number, such as +919876543210.');
  const given = fields['status'] ?? 'opted_in';
  const status = CONSENT_STATUSES.find((known) => known === given);
  if (!status) throw new AppError('INVALID_STATUS', `status must be one of ${CONSENT_STATUSES.join(', ')}.`);
  const source = textOf('source', fields['source'], MAX_SOURCE) ?? 'public_api';
  const note = textOf('note', fields['note'], MAX_NOTE);
  return { number: number.e164, status, source, ...(note === null ? {} : { note }) };
}

function textOf(name: string, value: unknown, maxLength: number): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string' || value.length > maxLength || /\p{Cc}/u.test(value) || !value.isWellFormed()) {
    throw new AppError(
      'INVALID_REQUEST',
      `${name} must be a single line of text with at most ${maxLength} characters.`,
    );
  }
  return value;
}
