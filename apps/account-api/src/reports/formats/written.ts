import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Writes a text and waits until the stream accepts more. Rejects if the stream fails. */
export async function written(target: Writable, text: string): Promise<void> {
  if (target.destroyed) throw target.errored ?? new Error('the target of the report was closed');
  if (!target.write(text)) await drained(target);
}

/** Resolves when the stream accepts more data. Rejects if the stream fails. */
export async function drained(target: Writable): Promise<void> {
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
