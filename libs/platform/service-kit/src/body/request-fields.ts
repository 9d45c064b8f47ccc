import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { decodeText, INVALID } from './decode-text';
import { FieldError } from '../field-error';
import { JSON_PIECE_BYTES, JsonPieces, notJson, withoutByteOrderMark } from './json-pieces';
import { JsonStructure } from './json-structure';

const MAX_FORM_FIELDS = 1000;
/** Maximum total length of names and values that are not valid UTF-8, because decoding them is slow. */
const MAX_INVALID_LENGTH = 10_000;
/** `JSON.parse` takes about 10 ms for this many values of any type. */
const MAX_JSON_VALUES = 20_000;

/**
 * Parses an `application/x-www-form-urlencoded` body as the URL Standard does: every value of every name, in order.
 * Malformed escapes are kept. Names have no special meaning, including brackets and `__proto__`. Throws a FieldError
 * for more than 1,000 fields.
 */
export function parseUrlEncoded(octets: Buffer): Map<string, string[]> {
  const pairs = new Map<string, string[]>();
  let count = 0;
  let invalidLength = 0;
  const decode = (component: Uint8Array): string => {
    const text = unescapeComponent(component);
    if (text.includes(INVALID) && (invalidLength += text.length) > MAX_INVALID_LENGTH) {
      throw new FieldError('MALFORMED', 'The form is not valid UTF-8; send UTF-8.');
    }
    return text;
  };
  for (let start = 0, end: number; start < octets.length; start = end + 1) {
    end = octets.indexOf('&', start);
    if (end < 0) end = octets.length;
    if (end === start) continue;
    if (++count > MAX_FORM_FIELDS) {
      throw new FieldError('TOO_MANY_FIELDS', `Send at most ${MAX_FORM_FIELDS} fields in one call.`);
    }
    const pair = octets.subarray(start, end);
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.subarray(0, equals));
    const value = equals < 0 ? '' : decode(pair.subarray(equals + 1));
    const values = pairs.get(name);
    if (values === undefined) pairs.set(name, [value]);
    else values.push(value);
  }
  return pairs;
}

/** Parses a query string as it was sent, without its question mark. Throws like `parseUrlEncoded`. */
export function parseQueryString(query: string): Map<string, string[]> {
  return parseUrlEncoded(Buffer.from(query, 'latin1'));
}

function unescapeComponent(octets: Uint8Array): string {
  const out = Buffer.allocUnsafe(octets.length);
  let length = 0;
  for (let i = 0; i < octets.length; i++) {
    const octet = octets[i] ?? 0;
    if (octet === 0x25) {
      const high = hexValue(octets[i + 1]);
      const low = hexValue(octets[i + 2]);
      if (high >= 0 && low >= 0) {
        out[length++] = high * 16 + low;
        i += 2;
        continue;
      }
    }
    out[length++] = octet === 0x2b ? 0x20 : octet;
  }
  return decodeText(out.subarray(0, length));
}

function hexValue(octet: number | undefined): number {
  if (octet === undefined) return -1;
  if (octet >= 0x30 && octet <= 0x39) return octet - 0x30;
  const lower = octet | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/**
 * Parses a JSON object. Throws a FieldError if the text is not JSON, is not an object, is nested deeper than 32 levels
 * or has too many values. Keys such as `__proto__` are own properties, so check them with `Object.hasOwn`.
 */
export function readJsonFields(octets: Uint8Array, maxValues?: number): Record<string, unknown> {
  const steps = jsonFields(octets, maxValues);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Like `readJsonFields`, but yields after each short piece of work (see `inTurns`). */
export function* jsonFields(
  body: Uint8Array,
  maxValues: number = MAX_JSON_VALUES,
): Generator<void, Record<string, unknown>> {
  const octets = withoutByteOrderMark(body);
  const structure = new JsonStructure({ maxValues });
  const texts: string[] = [];
  for (let start = 0, end: number; start < octets.length; start = end) {
    end = endOfPiece(octets, start);
    const piece = octets.subarray(start, end);
    structure.add(piece);
    texts.push(decodeText(piece));
    yield;
  }
  const value = structure.values <= MAX_JSON_VALUES ? yield* parseWhole(texts) : yield* parseInPieces(octets);
  if (!isJsonObject(value))
    throw new FieldError('MALFORMED', 'The body is valid JSON but not an object; send a JSON object.');
  return value;
}

/** Joining and parsing 10 MB take 4 and 10 ms, so each has a turn of its own. */
function* parseWhole(texts: readonly string[]): Generator<void, unknown> {
  const text = texts.join('');
  yield;
  const value = parseJson(text);
  yield;
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

/** Takes ten times as long as `JSON.parse`, but in short turns. */
function* parseInPieces(octets: Uint8Array): Generator<void, unknown> {
  if (!isUtf8(octets)) throw new FieldError('MALFORMED', 'The body is not valid UTF-8; send UTF-8.');
  let root: unknown;
  const json = new JsonPieces({ paths: ['$'], onValue: ({ value }) => (root = value) });
  for (let at = 0; at < octets.length; at += JSON_PIECE_BYTES) {
    json.add(octets.subarray(at, at + JSON_PIECE_BYTES));
    yield;
  }
  json.end();
  return root;
}

/** Ends a piece before the first byte of a character, unless there is none nearby. */
function endOfPiece(octets: Uint8Array, start: number): number {
  const end = Math.min(octets.length, start + JSON_PIECE_BYTES);
  for (let at = end; at > end - 4 && at < octets.length; at--) if (((octets[at] ?? 0) & 0xc0) !== 0x80) return at;
  return end;
}

/** True for an object that is not an array. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a field that may be sent once. Throws a FieldError if it is sent more than once. */
export function singleField(name: string, values: readonly string[] | undefined): string | undefined {
  if (values !== undefined && values.length > 1) {
    throw new FieldError('REPEATED', `The field ${name.slice(0, 64)} was sent more than once. Send it once.`);
  }
  return values?.[0];
}

/**
 * Parses a boolean of forms, query strings and XML, in any case. Empty is false. Other texts are returned unchanged.
 */
export function readFlag(text: string): boolean | string {
  switch (text.toLowerCase()) {
    case 'true':
    case '1':
    case 'yes':
    case 'on':
      return true;
    case 'false':
    case '0':
    case 'no':
    case 'off':
    case '':
      return false;
    default:
      return text;
  }
}

/** The part of the URL after the question mark, as sent. */
export function queryStringOf(request: IncomingMessage & { originalUrl?: string }): string {
  const url = request.originalUrl ?? request.url ?? '';
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}
