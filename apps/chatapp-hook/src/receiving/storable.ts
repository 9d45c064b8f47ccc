import { isJsonObject } from '@heliograph/platform';
import type { Fields } from './fields';

/** No object of the platform comes near it, and no parser further on gets into trouble by it. */
const MAX_DEPTH = 64;

class TooDeep extends Error {}

/**
 * The object with what PostgreSQL's JSON cannot hold, NUL and halves of surrogate pairs, replaced. Null for what is no
 * object, or is nested too deep.
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
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [cleanText(key), clean(item, depth + 1)]));
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) throw new TooDeep();
  return Array.isArray(value) ? value.map((item) => clean(item, depth + 1)) : cleanObject(value as Fields, depth);
}

function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}
