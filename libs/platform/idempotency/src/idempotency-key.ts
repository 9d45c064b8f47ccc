import { createHash, type Hash } from 'node:crypto';
import { AppError } from '@heliograph/errors';
import { inTurns } from '@heliograph/service-kit';

/** Characters or bytes of one step. */
const PIECE = 16_384;
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
 * A stable digest of a request, or of its bytes: equal for equal values, in any order of the fields. Throws
 * INVALID_REQUEST for a value that is nested too deeply.
 */
export function fingerprint(request: unknown): string {
  const steps = digest(request);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Computes the digest of a large request in short turns, so that other work of the event loop continues. */
export function fingerprintInTurns(request: unknown): Promise<string> {
  return inTurns(digest(request));
}

function* digest(request: unknown): Generator<void, string> {
  const hash = createHash('sha256');
  try {
    yield* request instanceof Uint8Array ? addBytes(hash, request) : addValue(hash, request);
  } catch (error) {
    if (error instanceof RangeError) throw new AppError('INVALID_REQUEST', 'The request is nested too deeply.');
    throw error;
  }
  return hash.digest('base64');
}

/** Each value starts with its type and its length, so that no two values have the same digest. */
function* addValue(hash: Hash, value: unknown): Generator<void> {
  if (typeof value === 'string') return yield* addText(hash, value);
  if (Array.isArray(value)) {
    hash.update(`[${value.length}`);
    for (const item of value) yield* addValue(hash, item);
  } else if (typeof value === 'object' && value !== null) {
    const members = (value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value)).filter(
      ([, member]) => member !== undefined,
    );
    hash.update(`${value instanceof Map ? '(' : '{'}${members.length}`);
    for (const [name, member] of members.sort(byFirst)) {
      yield* addText(hash, name);
      yield* addValue(hash, member);
    }
  } else hash.update(`${String(value)};`);
}

function* addText(hash: Hash, text: string): Generator<void> {
  hash.update(`"${text.length}:`);
  for (let at = 0; at < text.length; at += PIECE) {
    hash.update(text.slice(at, at + PIECE), 'utf16le');
    yield;
  }
}

function* addBytes(hash: Hash, bytes: Uint8Array): Generator<void> {
  for (let at = 0; at < bytes.length; at += PIECE) {
    hash.update(bytes.subarray(at, at + PIECE));
    yield;
  }
}

function byFirst([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
