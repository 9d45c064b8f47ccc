import { AppError } from '@heliograph/errors';

/** What a template may be given: JSON, without the prototypes. */
export type TemplateValue = string | number | boolean | null | TemplateValue[] | { [name: string]: TemplateValue };

export const MAX_VALUE_DEPTH = 8;
export const MAX_VALUE_COUNT = 10_000;
/** UTF-16 units of all texts and names together. */
export const MAX_VALUE_LENGTH = 512 * 1024;

interface Count {
  values: number;
  length: number;
}

/**
 * A deep copy of the variables that no template can reach out of: objects without a prototype, and nothing that runs.
 * Throws INVALID_REQUEST for what is not JSON, and for what is too deep, too many or too long.
 */
export function copyVariables(variables: Record<string, unknown>): Record<string, TemplateValue> {
  return copyObject(variables, 'variables', 0, { values: 0, length: 0 });
}

function copyObject(from: object, path: string, depth: number, count: Count): Record<string, TemplateValue> {
  const copy = Object.create(null) as Record<string, TemplateValue>;
  for (const [name, value] of Object.entries(from)) {
    checkText(name, path, count);
    copy[name] = copyValue(value, `${path}.${name.slice(0, 100)}`, depth + 1, count);
  }
  return copy;
}

function copyValue(value: unknown, path: string, depth: number, count: Count): TemplateValue {
  if (++count.values > MAX_VALUE_COUNT) throw refused('variables', `hold at most ${MAX_VALUE_COUNT} values`);
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
  throw refused(path, 'be a string, a number, a boolean, a list or a plain object');
}

function checkText(text: string, path: string, count: Count): string {
  count.length += text.length;
  if (count.length > MAX_VALUE_LENGTH) throw refused('variables', `hold at most ${MAX_VALUE_LENGTH} characters in all`);
  if (text.includes('\0') || !text.isWellFormed()) throw refused(path, 'be text without NUL and half surrogate pairs');
  return text;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function refused(path: string, rule: string): AppError {
  return new AppError('INVALID_REQUEST', `${path}: must ${rule}.`);
}
