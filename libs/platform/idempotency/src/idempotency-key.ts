import { createHash } from 'node:crypto';
import { AppError } from '@heliograph/errors';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/**
 * Reads the Idempotency-Key header: a bare value or a structured-field string. Undefined if the header is missing.
 * Throws INVALID_REQUEST unless it is 1 to 255 printable ASCII characters.
 */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const text = Array.isArray(header) ? header.join(', ') : header.trim();
  const quoted = /^"(.*)"$/.exec(text);
  const key = quoted ? (quoted[1] ?? '').replace(/\\(["\\])/g, '$1') : text;
  if (!PRINTABLE.test(key)) {
    throw new AppError(
      'INVALID_REQUEST',
      'Idempotency-Key must be 1 to 255 printable ASCII characters, such as a UUID.',
    );
  }
  return key;
}

/**
 * A stable digest of a request: equal for equal values, in any order of the fields. Throws INVALID_REQUEST for a value
 * that is nested too deeply.
 */
export function fingerprint(request: unknown): string {
  return createHash('sha256').update(canonical(request)).digest('base64');
}

function canonical(request: unknown): string {
  try {
    return JSON.stringify(request, (_key, value: unknown) => {
      if (value instanceof Map) return [...value].sort(byFirst);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      return Object.fromEntries(Object.entries(value).sort(byFirst));
    });
  } catch (error) {
    if (error instanceof RangeError) throw new AppError('INVALID_REQUEST', 'The request is nested too deeply.');
    throw error;
  }
}

function byFirst([a]: [unknown, unknown], [b]: [unknown, unknown]): number {
  return String(a) < String(b) ? -1 : 1;
}
