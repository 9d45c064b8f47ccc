import { addressKey, readEmailAddress } from '@heliograph/email-address';
import { checkSubject } from '@heliograph/email-text';
import { AppError, type ErrorCode } from '@heliograph/errors';
import { decodeText, parseScheduledAt, type ScheduledAt } from '@heliograph/service-kit';

export const MAX_RECIPIENTS = 1_000;
const MAX_NAME_LENGTH = 200;
const MAX_REFERENCE_LENGTH = 200;
/** Limit on listed addresses, checked before they are parsed and deduplicated. */
const MAX_LISTED = 10_000;

/** A validated send request. Senders and templates are not resolved yet. */
export interface SendRequest {
  from: string | null;
  fromName: string | null;
  /** Unique addresses, in the spelling of their first occurrence. */
  to: string[];
  subject: string | null;
  html: string | null;
  text: string | null;
  template: string | null;
  variables: Record<string, unknown>;
  scheduledAt: ScheduledAt | null;
  tracking: { opens: boolean; clicks: boolean };
}

/** Parses the body. Throws INVALID_REQUEST if it is not a JSON object. */
export function readSendFields(octets: Uint8Array): Record<string, unknown> {
  let fields: unknown;
  try {
    fields = JSON.parse(decodeText(octets));
  } catch {
    throw new AppError(
      'INVALID_REQUEST',
      'The body must be valid JSON. Send an object with at least to, and html or text.',
    );
  }
  if (!isObject(fields)) throw new AppError('INVALID_REQUEST', 'The body must be a JSON object.');
  return fields;
}

/**
 * Validates the types of the fields in their order; null is treated as missing. Throws a 400 with the code of the
 * field.
 */
export function toSendRequest(fields: Record<string, unknown>): SendRequest {
  return {
    from: addressOf(fields['from']),
    fromName: oneLineOf(fields['fromName'], 'fromName', MAX_NAME_LENGTH),
    to: recipientsOf(fields['to']),
    subject: subjectOf(fields['subject']),
    html: textOf(fields['html'], 'html'),
    text: textOf(fields['text'], 'text'),
    template: templateOf(fields['template']),
    variables: variablesOf(fields['variables']),
    scheduledAt: scheduleOf(fields['scheduledAt']),
    tracking: trackingOf(fields['tracking']),
  };
}

function addressOf(value: unknown): string | null {
  if (isMissing(value)) return null;
  const address = typeof value === 'string' ? readEmailAddress(value) : null;
  if (address === null)
    throw refuse('from must be a single address without a name, such as hello@example.com. Use fromName for the name.');
  return address;
}

function recipientsOf(value: unknown): string[] {
  if (isMissing(value) || value === '') throw noRecipients();
  const listed: unknown[] = Array.isArray(value) ? value : [value];
  if (listed.length === 0) throw noRecipients();
  if (listed.length > MAX_LISTED) throw tooMany();
  const addresses = new Map<string, string>();
  for (const [index, written] of listed.entries()) {
    const address = typeof written === 'string' ? readEmailAddress(written) : null;
    if (address === null) {
      const which = Array.isArray(value) ? `to[${index}]` : 'to';
      throw refuse(
        `${which} must be a single email address of at most 254 characters, such as ann@example.com.`,
        'INVALID_RECIPIENT',
      );
    }
    const key = addressKey(address);
    if (!addresses.has(key)) addresses.set(key, address);
  }
  if (addresses.size > MAX_RECIPIENTS) throw tooMany();
  return [...addresses.values()];
}

function subjectOf(value: unknown): string | null {
  const subject = textOf(value, 'subject');
  if (subject !== null) checkSubject(subject);
  return subject;
}

function templateOf(value: unknown): string | null {
  if (isMissing(value)) return null;
  if (!isSendableText(value) || value === '' || value.length > MAX_REFERENCE_LENGTH) {
    throw refuse('template must be the id or the slug of one of your templates.', 'INVALID_TEMPLATE');
  }
  return value;
}

function variablesOf(value: unknown): Record<string, unknown> {
  if (isMissing(value)) return {};
  if (!isObject(value)) throw refuse('variables must be an object that maps variable names to values.');
  return value;
}

function scheduleOf(value: unknown): ScheduledAt | null {
  if (isMissing(value)) return null;
  const scheduledAt = typeof value === 'string' ? parseScheduledAt(value) : null;
  if (scheduledAt === null) {
    throw refuse(
      'scheduledAt must be an RFC 3339 timestamp with a UTC offset, such as 2026-11-20T10:12:28Z.',
      'INVALID_SEND_TIME',
    );
  }
  return scheduledAt;
}

function trackingOf(value: unknown): { opens: boolean; clicks: boolean } {
  if (isMissing(value)) return { opens: true, clicks: true };
  if (!isObject(value)) throw refuse('tracking must be an object, such as {"opens": false, "clicks": true}.');
  const flag = (name: 'opens' | 'clicks'): boolean => {
    const given = value[name];
    if (isMissing(given)) return true;
    if (typeof given !== 'boolean') throw refuse(`tracking.${name} must be true or false.`);
    return given;
  };
  return { opens: flag('opens'), clicks: flag('clicks') };
}

function textOf(value: unknown, field: string): string | null {
  if (isMissing(value)) return null;
  if (!isSendableText(value)) throw refuse(`${field} must be a string of valid Unicode without NUL.`);
  return value;
}

function oneLineOf(value: unknown, field: string, maxLength: number): string | null {
  const text = textOf(value, field);
  if (text === null || text === '') return null;
  if (text.length > maxLength || /\p{Cc}/u.test(text)) {
    throw refuse(`${field} must be a single line of at most ${maxLength} characters.`);
  }
  return text;
}

/** True for text that all systems can store: no NUL, no lone surrogate. */
function isSendableText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed();
}

function isMissing(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function noRecipients(): AppError {
  return new AppError('NO_RECIPIENTS', 'to must contain at least one email address.');
}

function tooMany(): AppError {
  return refuse(
    `A send can have at most ${MAX_RECIPIENTS} recipients. Split it into several sends.`,
    'INVALID_RECIPIENT',
  );
}

function refuse(message: string, code: ErrorCode = 'INVALID_REQUEST'): AppError {
  return new AppError(code, message);
}
