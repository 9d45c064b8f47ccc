import { decodeText } from '@heliograph/platform';

/**
 * The fields of a send as they came, whatever the call style: aliases are resolved, types are not yet checked.
 * `variables` is a Map from token to value when the call gave an object, so that no token can reach a prototype.
 */
export interface SendFields {
  from?: unknown;
  to?: unknown;
  template?: unknown;
  message?: unknown;
  variables?: unknown;
  flash?: unknown;
  scheduledAt?: unknown;
}
export type SendField = keyof SendFields;

/** Every field with the names it goes by: its own first, then its aliases in the order in which they count. */
export const SEND_FIELD_NAMES: Readonly<Record<SendField, readonly string[]>> = {
  from: ['from', 'sender', 'senderId', 'header'],
  to: ['to', 'recipient', 'number', 'msisdn', 'mobile', 'phone'],
  template: ['template', 'templateId', 'tpl'],
  message: ['message', 'text', 'body', 'msg', 'content'],
  variables: ['variables'],
  flash: ['flash'],
  scheduledAt: ['scheduledAt', 'scheduled_at', 'schedule', 'at'],
};
const SEND_FIELDS = Object.keys(SEND_FIELD_NAMES) as SendField[];
const VARIABLE_PREFIX = 'var.';
const MAX_FORM_FIELDS = 1000;
const MAX_JSON_DEPTH = 32;

export type FieldErrorReason = 'MALFORMED' | 'REPEATED' | 'TOO_MANY_FIELDS';

/** The call as a whole cannot be read; a 400 in every style. The message tells the caller what to change. */
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
 * Reads an `application/x-www-form-urlencoded` body by the URL Standard's parser: every value of every name, in order. A
 * malformed escape stays as it is. Names mean nothing here, brackets and `__proto__` included. Throws a FieldError past
 * 1,000 fields.
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

/** Reads a query string, without its question mark, as it stands in the request line. Throws as `parseUrlEncoded`. */
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
 * Reads a JSON object. Throws a FieldError when the text is not JSON, is another kind of value, or is nested deeper than
 * 32 levels. Keys such as `__proto__` are the object's own: look them up with `Object.hasOwn`.
 */
export function readJsonFields(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    throw new FieldError('MALFORMED', 'The body is not valid JSON; send a JSON object.');
  }
  if (!isObject(value))
    throw new FieldError('MALFORMED', 'The body is valid JSON but not an object; send a JSON object.');
  refuseDeepNesting(value);
  return value;
}

/** Level by level, so that no nesting is too deep for the stack. */
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a field under its own name, else under the first alias that has one; undefined when none has. */
export function pickField(field: SendField, valueOf: (name: string) => unknown): unknown {
  for (const name of SEND_FIELD_NAMES[field]) {
    const value = valueOf(name);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** Builds the fields from a look-up by name; null counts as absent, and absent fields are left out. */
export function pickFields(valueOf: (name: string) => unknown): SendFields {
  const fields: SendFields = {};
  for (const field of SEND_FIELDS) {
    const value = pickField(field, valueOf);
    if (value !== undefined) fields[field] = value;
  }
  return fields;
}

/** The fields of a JSON call, types as they came. */
export function fieldsFromJson(body: Record<string, unknown>): SendFields {
  const fields = pickFields((name) => (Object.hasOwn(body, name) ? body[name] : undefined));
  if (isObject(fields.variables)) fields.variables = new Map(Object.entries(fields.variables));
  return fields;
}

/**
 * The fields of a form or a query string. Variables come as `var.<token>`, as a JSON object in `variables`, or both, and
 * then `var.` wins; a `var.` without a token is ignored. A `variables` that is no JSON object stays text, and a `flash`
 * that is no boolean word too, for validation to refuse. Throws a FieldError when a field comes more than once.
 */
export function fieldsFromForm(pairs: ReadonlyMap<string, readonly string[]>): SendFields {
  for (const field of SEND_FIELDS) for (const name of SEND_FIELD_NAMES[field]) single(name, pairs.get(name));
  const fields = pickFields((name) => pairs.get(name)?.[0]);
  if (typeof fields.flash === 'string') fields.flash = readFlag(fields.flash);
  if (typeof fields.variables === 'string') fields.variables = readVariables(fields.variables);

  const variables = new Map<string, unknown>();
  for (const [name, values] of pairs) {
    if (name.startsWith(VARIABLE_PREFIX) && name.length > VARIABLE_PREFIX.length) {
      variables.set(name.slice(VARIABLE_PREFIX.length), single(name, values));
    }
  }
  if (variables.size === 0) return fields;
  if (fields.variables === undefined) fields.variables = variables;
  else if (fields.variables instanceof Map) fields.variables = new Map([...fields.variables, ...variables]);
  return fields;
}

function single(name: string, values: readonly string[] | undefined): string | undefined {
  if (values !== undefined && values.length > 1) {
    throw new FieldError('REPEATED', `The field ${name.slice(0, 64)} is there more than once; send it once.`);
  }
  return values?.[0];
}

function readVariables(text: string): unknown {
  try {
    return new Map(Object.entries(readJsonFields(text)));
  } catch {
    return text;
  }
}

/** A boolean as forms, query strings and XML write it, in any case; any other text is handed back. Empty is false. */
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
