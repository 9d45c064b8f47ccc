import { isJsonObject } from '@heliograph/service-kit';
import { invalid } from './invalid';

export type Fields = Readonly<Record<string, unknown>>;

export function objectAt(what: string, value: unknown): Fields {
  if (!isJsonObject(value)) throw invalid(what, 'must be an object');
  return value;
}

/** Reads a text of 1 to `max` characters, counted as code points. */
export function textAt(what: string, value: unknown, max: number): string {
  if (typeof value !== 'string' || value.trim() === '') throw invalid(what, 'must be a non-empty string');
  if (!value.isWellFormed() || value.includes('\0')) throw invalid(what, 'must not contain NUL or lone surrogates');
  if ([...value].length > max) throw invalid(what, `must have at most ${max} characters`);
  return value;
}

export function optionalTextAt(what: string, value: unknown, max: number): string | undefined {
  return isGiven(value) ? textAt(what, value, max) : undefined;
}

export function listAt(what: string, value: unknown, { min, max }: { min: number; max: number }): readonly unknown[] {
  if (!Array.isArray(value) || value.length < min || value.length > max) {
    const many = min === max ? `${min}` : `${min} to ${max}`;
    throw invalid(what, `must be a list of ${many}`);
  }
  return value as unknown[];
}

export function oneOf<T extends string>(what: string, value: unknown, options: readonly T[]): T {
  const upper = typeof value === 'string' ? value.toUpperCase() : null;
  const option = options.find((known) => known === upper);
  if (option === undefined) throw invalid(what, `must be one of ${options.join(', ')}`);
  return option;
}

export function optionalBooleanAt(what: string, value: unknown): boolean | undefined {
  if (!isGiven(value)) return undefined;
  if (typeof value !== 'boolean') throw invalid(what, 'must be true or false');
  return value;
}

/** Whether the value is present; null is treated as absent. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
