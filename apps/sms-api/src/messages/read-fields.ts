import { isJsonObject, readFlag, readJsonFields, singleField } from '@heliograph/platform';

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
  if (isJsonObject(fields.variables)) fields.variables = new Map(Object.entries(fields.variables));
  return fields;
}

/**
 * The fields of a form or a query string. Variables come as `var.<token>`, as a JSON object in `variables`, or both, and
 * then `var.` wins; a `var.` without a token is ignored. A `variables` that is no JSON object stays text, and a `flash`
 * that is no boolean word too, for validation to refuse. Throws a FieldError when a field comes more than once.
 */
export function fieldsFromForm(pairs: ReadonlyMap<string, readonly string[]>): SendFields {
  for (const field of SEND_FIELDS) for (const name of SEND_FIELD_NAMES[field]) singleField(name, pairs.get(name));
  const fields = pickFields((name) => pairs.get(name)?.[0]);
  if (typeof fields.flash === 'string') fields.flash = readFlag(fields.flash);
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
    return new Map(Object.entries(readJsonFields(text)));
  } catch {
    return text;
  }
}
