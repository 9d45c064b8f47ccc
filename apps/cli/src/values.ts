import { readFileSync } from 'node:fs';
import { CommandError, EXIT } from './exit-codes';

/** Collects the values of an option that can be repeated. */
export const repeated = (value: string, before: string[] = []): string[] => [...before, value];

/** `name=value` texts as an object. */
export function variablesOf(pairs: readonly string[] | undefined): Record<string, string> | undefined {
  if (!pairs) return undefined;
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new CommandError(`--var needs name=value, not ${pair}.`, EXIT.usage);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** An object without its undefined fields. */
export function defined<T extends object>(fields: T): { [Field in keyof T]?: Exclude<T[Field], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Field in keyof T]?: Exclude<T[Field], undefined>;
  };
}

/** JSON of an argument; `@file` is the content of a file and `@-` the standard input. */
export function jsonOf(argument: string): Record<string, unknown> {
  const text = argument.startsWith('@') ? readText(argument.slice(1)) : argument;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>;
  } catch {
    // The message below also covers a text that is no JSON.
  }
  throw new CommandError('--data must be a JSON object, @FILE or @- for the standard input.', EXIT.usage);
}

export function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`, EXIT.usage);
  }
}

/** The value at a path such as `data.0.id`. */
export function pick(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (inner, name) => (inner === null || inner === undefined ? undefined : (inner as Record<string, unknown>)[name]),
      value,
    );
}
