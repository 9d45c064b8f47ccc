import { Drop, toValue, type Context } from 'liquidjs';

/**
 * liquidjs checks the time between two nodes of a template and counts part of the memory, but a single filter, comparison
 * or property can take minutes with a malicious value. Therefore all work is charged here in advance, to the limiter
 * that all parts of a rendering share. A unit is about 20 ns.
 */
export const WORK_UNITS = 2_000_000;
/** A second limit for work that is not charged, checked between nodes and before each filter. */
export const RENDER_TIMEOUT_MS = 1_000;

const NUMBER_UNITS = 10;
const ELEMENT_UNITS = 30;
/** The worst case of searching m characters in n is n times m comparisons. */
const PATTERN_LENGTH_PER_UNIT = 25;

export function chargeWork(context: Context, units: number): void {
  context.memoryLimit.use(Math.ceil(units));
}

/** Charges for visiting a whole value. Repeated objects are visited, and charged, every time. */
export function chargeSize(context: Context, value: unknown): void {
  if (typeof value === 'string') return chargeWork(context, value.length + 1);
  if (typeof value !== 'object' || value === null || value instanceof Drop) return chargeWork(context, NUMBER_UNITS);
  for (const element of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) {
    chargeWork(context, ELEMENT_UNITS);
    chargeSize(context, element);
  }
}

export function chargeSearch(context: Context, text: unknown, pattern: unknown): void {
  if (typeof text !== 'string') return;
  const patternLength = typeof pattern === 'string' ? pattern.length : 1;
  chargeWork(context, text.length * (1 + patternLength / PATTERN_LENGTH_PER_UNIT));
}

/** Returns the text of an output. Throws for an object, which has no useful text. */
export function printable(context: Context, value: unknown): string {
  const plain: unknown = toValue(value);
  if (plain === null || plain === undefined) return '';
  if (typeof plain === 'string') {
    chargeWork(context, plain.length);
    return plain;
  }
  if (Array.isArray(plain)) {
    chargeWork(context, plain.length * ELEMENT_UNITS);
    return plain.map((element) => printable(context, element)).join('');
  }
  if (typeof plain === 'number' || typeof plain === 'boolean') {
    chargeWork(context, NUMBER_UNITS);
    return String(plain);
  }
  throw new Error('an object cannot be printed: print one of its fields, or use the filter json');
}
