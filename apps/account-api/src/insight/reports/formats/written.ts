import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Resolves when the stream accepts more. Rejects if it fails. */
export async function drained(target: Writable): Promise<void> {
  if (target.destroyed) throw target.errored ?? new Error('the target of the report was closed');
  if (!target.writableNeedDrain) return;
  const closed = new AbortController();
  try {
    await Promise.race([
      once(target, 'drain', { signal: closed.signal }),
      once(target, 'close', { signal: closed.signal }).then(() => {
        throw target.errored ?? new Error('the target of the report was closed');
      }),
    ]);
  } finally {
    closed.abort();
  }
}

/** Converts a value to a cell of a table: lists and objects to JSON, other values unchanged. */
export function cellOf(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string' || typeof value === 'number') return value;
  return JSON.stringify(value);
}
