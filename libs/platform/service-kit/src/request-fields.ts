import type { IncomingMessage } from 'node:http';
import { decodeText } from './decode-text';

const MAX_FORM_FIELDS = 1000;
const MAX_JSON_DEPTH = 32;

export type FieldErrorReason = 'MALFORMED' | 'REPEATED' | 'TOO_MANY_FIELDS';

/** The request as a whole cannot be parsed; 400 in every style. The message tells the caller what to change. */
export class FieldError extends Error {
  constructor(
    readonly reason: FieldErrorReason,
    message: string,
  ) {
    super(message);
    this.name = 'FieldError';
  }
}

/**
 * Parses an `application/x-www-form-urlencoded` body as the URL Standard does: every value of every name, in order.
 * Malformed escapes are kept. Names have no special meaning, including brackets and `__proto__`. Throws a FieldError
 * for more than 1,000 fields.
 */
export function parseUrlEncoded(octets: Buffer): Map<string, string[]> {
  const pairs = new Map<string, string[]>();
  let count = 0;
  for (let start = 0, end: number; start < octets.length; start = end + 1) {
    end = octets.indexOf('&', start);
    if (end < 0) end = octets.length;
    if (end === start) continue;
    if (++count > MAX_FORM_FIELDS) {
      throw new FieldError('TOO_MANY_FIELDS', `Send at most ${MAX_FORM_FIELDS} fields in one call.`);
    }
    const pair = octets.subarray(start, end);
    const equals = pair.indexOf('=');
    const name = unescapeComponent(equals < 0 ? pair : pair.subarray(0, equals));
    const value = equals < 0 ? '' : unescapeComponent(pair.subarray(equals + 1));
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
 * Parses a JSON object. Throws a FieldError if the text is not JSON, is not an object, or is nested deeper than 32
 * levels. Keys such as `__proto__` are own properties, so check them with `Object.hasOwn`.
 */
export function readJsonFields(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    throw new FieldError('MALFORMED', 'The body is not valid JSON; send a JSON object.');
  }
  if (!isJsonObject(value))
    throw new FieldError('MALFORMED', 'The body is valid JSON but not an object; send a JSON object.');
  refuseDeepNesting(value);
  return value;
}

/** Iterates level by level, so that deep nesting cannot overflow the stack. */
function refuseDeepNesting(root: object): void {
  let level: object[] = [root];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_JSON_DEPTH) {
      throw new FieldError('MALFORMED', `The JSON is nested too deeply; keep it within ${MAX_JSON_DEPTH} levels.`);
    }
    const next: object[] = [];
    for (const node of level) {
      for (const child of Object.values(node)) if (typeof child === 'object' && child !== null) next.push(child);
    }
    level = next;
  }
}

/** True for an object that is not an array. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a field that may be sent once. Throws a FieldError if it is sent more than once. */
export function singleField(name: string, values: readonly string[] | undefined): string | undefined {
  if (values !== undefined && values.length > 1) {
    throw new FieldError('REPEATED', `The field ${name.slice(0, 64)} is there more than once; send it once.`);
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
