import { isJsonObject, toStorableText } from '@heliograph/service-kit';
import type { Fields } from './fields';

/** Maximum nesting depth. Objects of the provider are nested less deeply, and all later parsers support this depth. */
const MAX_DEPTH = 64;

class TooDeep extends Error {}

/**
 * Replaces NUL and lone surrogates, which PostgreSQL's JSON cannot contain. Returns null for a value that is not an
 * object or is nested too deeply.
 */
export function storable(value: unknown): Fields | null {
  if (!isJsonObject(value)) return null;
  try {
    return cleanObject(value, 1);
  } catch (error) {
    if (error instanceof TooDeep) return null;
    throw error;
  }
}

function cleanObject(value: Fields, depth: number): Fields {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [toStorableText(key), clean(item, depth + 1)]));
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return toStorableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) throw new TooDeep();
  return Array.isArray(value) ? value.map((item) => clean(item, depth + 1)) : cleanObject(value as Fields, depth);
}
