import {
  isJsonObject,
  namesByField,
  readFlag,
  readJsonFields,
  singleField,
  type FormFields,
} from '@heliograph/service-kit';
import { SendRequest } from './send-request.dto';

/**
 * The fields of a send in any call style: aliases are resolved, types are not checked yet. If `variables` is an object
 * in the call, it is converted to a Map from token to value, so that a token such as `__proto__` cannot access a
 * prototype.
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

/** The names of each field: the canonical name, followed by its aliases in order of precedence. */
export const SEND_FIELD_NAMES: Readonly<Record<SendField, readonly string[]>> = namesByField(SendRequest);
const SEND_NAMES: ReadonlySet<string> = new Set(Object.values(SEND_FIELD_NAMES).flat());
const SEND_FIELDS = Object.keys(SEND_FIELD_NAMES) as SendField[];
const VARIABLE_PREFIX = 'var.';

/** Returns the value of the canonical name, otherwise of the first alias with a value, otherwise `undefined`. */
function pickField(field: SendField, valueOf: (name: string) => unknown): unknown {
  for (const name of SEND_FIELD_NAMES[field]) {
    const value = valueOf(name);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/**
 * Builds the fields from a look-up by name. `null` counts as absent, and absent fields are omitted. Names that are not those of a
 * field or an alias are kept, for the validation.
 */
export function pickFields(names: Iterable<string>, valueOf: (name: string) => unknown): SendFields {
  const fields = unknownFields(names, valueOf);
  for (const field of SEND_FIELDS) {
    const value = pickField(field, valueOf);
    if (value !== undefined) fields[field] = value;
  }
  return fields;
}

function unknownFields(names: Iterable<string>, valueOf: (name: string) => unknown): SendFields {
  const unknown: [string, unknown][] = [];
  for (const name of names) {
    if (!SEND_NAMES.has(name)) unknown.push([name, valueOf(name)]);
  }
  return unknown.length === 0 ? {} : Object.fromEntries(unknown);
}

/** Converts the body of a JSON call without changing the types of the values. */
export function normalizeSendJson(body: Record<string, unknown>): SendFields {
  const fields = pickFields(Object.keys(body), (name) => (Object.hasOwn(body, name) ? body[name] : undefined));
  if (isJsonObject(fields.variables)) fields.variables = new Map(Object.entries(fields.variables));
  return fields;
}

/**
 * Converts a form or a query string. Variables are sent as `var.<token>`, as a JSON object in `variables`, or both;
 * `var.<token>` takes precedence, and `var.` without a token is ignored. If `variables` is not a JSON object or `flash`
 * is not a boolean, the text is returned unchanged and the validation rejects it. Throws a FieldError if a field is
 * repeated.
 */
export function normalizeSendForm(pairs: FormFields): SendFields {
  for (const field of SEND_FIELDS) for (const name of SEND_FIELD_NAMES[field]) singleField(name, pairs.get(name));
  const others = [...pairs.keys()].filter((name) => !name.startsWith(VARIABLE_PREFIX));
  const fields = pickFields(others, (name) => pairs.get(name)?.[0]);
  if (typeof fields.flash === 'string') fields.flash = readFlag(fields.flash);
  if (typeof fields.scheduledAt === 'string') fields.scheduledAt = restorePlus(fields.scheduledAt);
  if (typeof fields.variables === 'string') fields.variables = readVariables(fields.variables);

  const variables = new Map<string, unknown>();
  for (const [name, values] of pairs) {
    if (name.startsWith(VARIABLE_PREFIX) && name.length > VARIABLE_PREFIX.length) {
      variables.set(name.slice(VARIABLE_PREFIX.length), singleField(name, values));
    }
  }
  if (variables.size === 0) return fields;
  if (fields.variables === undefined) fields.variables = variables;
  else if (fields.variables instanceof Map) fields.variables = new Map([...fields.variables, ...variables]);
  return fields;
}

function readVariables(text: string): unknown {
  try {
    return new Map(Object.entries(readJsonFields(Buffer.from(text))));
  } catch {
    return text;
  }
}

/** Restores the plus sign of a time zone offset, which is decoded to a space if the client did not escape it. */
function restorePlus(timestamp: string): string {
  return timestamp.replace(/ (\d\d:\d\d)$/, '+$1');
}
