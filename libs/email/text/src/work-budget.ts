import { Drop, toValue, type Context } from 'liquidjs';

/**
 * liquidjs looks at the clock between two nodes of a template and counts a part of the memory, but one filter, comparison
 * or property may take minutes on a value that was made for it. So whatever costs time is charged here before it is done,
 * to the limiter that all parts of one rendering share. A unit is some
 * 20 ns.
 */
export const WORK_UNITS = 2_000_000;
/** For what was overlooked: looked at between nodes and before each filter. */
export const RENDER_TIMEOUT_MS = 1_000;

const NUMBER_UNITS = 10;
const ELEMENT_UNITS = 30;
/** A search of n characters for m that was made to be slow compares n times m of them. */
const PATTERN_LENGTH_PER_UNIT = 25;

export function chargeWork(context: Context, units: number): void {
  context.memoryLimit.use(Math.ceil(units));
}

/** Charges for walking all of a value. What is in it many times is walked, and charged, as many times. */
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

/** The text that an output prints. Throws for an object, which has none that a reader should see. */
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
