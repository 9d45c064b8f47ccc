import { isJsonObject, readFlag, readJsonFields, singleField, type FormFields } from '@heliograph/service-kit';

/**
 * The fields of a send in any call style: aliases are resolved, types are not checked yet. When the call gave an object
 * as `variables`, it is a Map from token to value, so that no token can reach a prototype.
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

/** The names of every field: the canonical name first, then its aliases by precedence. */
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

/** Returns the value of the canonical name, else of the first alias that has one, else `undefined`. */
export function pickField(field: SendField, valueOf: (name: string) => unknown): unknown {
  for (const name of SEND_FIELD_NAMES[field]) {
    const value = valueOf(name);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** Builds the fields from a look-up by name. `null` counts as absent, and absent fields are omitted. */
export function pickFields(valueOf: (name: string) => unknown): SendFields {
  const fields: SendFields = {};
  for (const field of SEND_FIELDS) {
    const value = pickField(field, valueOf);
    if (value !== undefined) fields[field] = value;
  }
  return fields;
}

/** Converts the body of a JSON call. Types are not changed. */
export function normalizeSendJson(body: Record<string, unknown>): SendFields {
  const fields = pickFields((name) => (Object.hasOwn(body, name) ? body[name] : undefined));
  if (isJsonObject(fields.variables)) fields.variables = new Map(Object.entries(fields.variables));
  return fields;
}

/**
 * Converts a form or a query string. Variables come as `var.<token>`, as a JSON object in `variables`, or both; `var.`
 * wins, and a `var.` without a token is ignored. `variables` that are not a JSON object and a `flash` that is not a
 * boolean word stay text, which the validation refuses. Throws a FieldError when a field was sent more than once.
 */
export function normalizeSendForm(pairs: FormFields): SendFields {
  for (const field of SEND_FIELDS) for (const name of SEND_FIELD_NAMES[field]) singleField(name, pairs.get(name));
  const fields = pickFields((name) => pairs.get(name)?.[0]);
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

/** The plus of a time zone offset becomes a blank when it is not escaped. */
function restorePlus(timestamp: string): string {
  return timestamp.replace(/ (\d\d:\d\d)$/, '+$1');
}
