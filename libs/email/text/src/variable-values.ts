import { AppError } from '@heliograph/errors';

/** The value of a template variable: JSON, without prototypes. */
export type TemplateValue = string | number | boolean | null | TemplateValue[] | { [name: string]: TemplateValue };

export const MAX_VALUE_DEPTH = 8;
export const MAX_VALUE_COUNT = 10_000;
/** Total UTF-16 code units of all texts and names. */
export const MAX_VALUE_LENGTH = 512 * 1024;

interface Count {
  values: number;
  length: number;
}

/**
 * Returns a deep copy of the variables without prototypes and functions. Throws INVALID_REQUEST for values that are not
 * JSON, or that exceed a limit.
 */
export function copyVariables(variables: Record<string, unknown>): Record<string, TemplateValue> {
  return copyObject(variables, 'variables', 0, { values: 0, length: 0 });
}

function copyObject(from: object, path: string, depth: number, count: Count): Record<string, TemplateValue> {
  const copy = Object.create(null) as Record<string, TemplateValue>;
  for (const [name, value] of Object.entries(from)) {
    checkText(name, path, count);
    copy[name] = copyValue(value, `${path}.${name.slice(0, 100).toWellFormed()}`, depth + 1, count);
  }
  return copy;
}

function copyValue(value: unknown, path: string, depth: number, count: Count): TemplateValue {
  if (++count.values > MAX_VALUE_COUNT) throw refused('variables', `contain at most ${MAX_VALUE_COUNT} values`);
  if (depth > MAX_VALUE_DEPTH) throw refused('variables', `nest at most ${MAX_VALUE_DEPTH} levels`);
  if (typeof value === 'string') return checkText(value, path, count);
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    throw refused(path, 'be a finite number');
  }
  if (Array.isArray(value)) return value.map((item, index) => copyValue(item, `${path}[${index}]`, depth + 1, count));
  if (typeof value === 'object' && isPlain(value)) return copyObject(value, path, depth, count);
  throw refused(path, 'be a string, number, boolean, list or plain object');
}

function checkText(text: string, path: string, count: Count): string {
  count.length += text.length;
  if (count.length > MAX_VALUE_LENGTH)
    throw refused('variables', `contain at most ${MAX_VALUE_LENGTH} characters in total`);
  if (text.includes('\0') || !text.isWellFormed()) throw refused(path, 'be text without NUL and lone surrogates');
  return text;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function refused(path: string, rule: string): AppError {
  return new AppError('INVALID_REQUEST', `${path}: must ${rule}.`);
}
