import { isId } from '@heliograph/database';

/** Maximum length of a stored body in characters. */
export const MAX_BODY_LENGTH = 4_000;
const MAX_DEPTH = 16;
const HIDDEN = '…';

const SECRET_NAME = /secret|password|token|authorization|credential|api_?key|^otp$/i;
/** API keys, tokens and secrets of webhooks, in any field: a new key is in the field `key`. */
const CREDENTIAL = /\b(?:[a-z0-9]{1,32}_(?:live|test)|hat|hrt|whsec)_[\w+/=-]{8,}/gi;
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/;
const EMAIL = /[^\s@<>"'(),:;]{1,64}@/g;
/** Digits, also with separators between them as in telephone numbers. */
const NUMBER = /\+?\d[\d ().-]{2,}\d/g;
/** A shorter one can be a one-time code, a longer one is an id, such as that of a DLT template. */
const PHONE_DIGITS = { min: 7, max: 16 };
const SHOWN_DIGITS = 4;

/**
 * The JSON text of a body for the request log: without secrets, one-time codes, full telephone numbers and email addresses. What is
 * longer than 4,000 characters is cut off, so that a large body costs no more than a small one.
 */
export function loggableBody(body: unknown): string {
  let budget = MAX_BODY_LENGTH;
  const masked = (value: unknown, name: string, depth: number): unknown => {
    if (budget <= 0 || depth > MAX_DEPTH) return HIDDEN;
    budget -= name.length + 4;
    if (SECRET_NAME.test(name) && value !== null && typeof value !== 'object') return HIDDEN;
    if (typeof value === 'string') {
      const text = maskText(value.slice(0, budget));
      budget -= text.length;
      return value.length > budget + text.length ? `${text}${HIDDEN}` : text;
    }
    if (typeof value === 'number') return maskNumber(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value) {
        items.push(masked(item, '', depth + 1));
        if (budget <= 0) break;
      }
      return items;
    }
    const fields: [string, unknown][] = [];
    // Free names, such as those of variables, are in maps.
    for (const [key, field] of value instanceof Map ? value : Object.entries(value)) {
      if (field === undefined) continue;
      fields.push([maskText(key), masked(field, key, depth + 1)]);
      if (budget <= 0) break;
    }
    return Object.fromEntries(fields);
  };
  return JSON.stringify(masked(body, '', 0));
}

function maskNumber(value: number): number | string {
  const text = String(value);
  const shown = maskText(text);
  return shown === text ? value : shown;
}

function maskText(text: string): string {
  const identifiesNobody: boolean = isId(text) || INSTANT.test(text);
  return identifiesNobody
    ? text
    : text.replaceAll(CREDENTIAL, HIDDEN).replaceAll(EMAIL, `${HIDDEN}@`).replaceAll(NUMBER, maskDigits);
}

function maskDigits(text: string): string {
  const digits = text.replaceAll(/\D/g, '');
  if (digits.length > PHONE_DIGITS.max) return text;
  return digits.length < PHONE_DIGITS.min ? HIDDEN : `${HIDDEN}${digits.slice(-SHOWN_DIGITS)}`;
}
