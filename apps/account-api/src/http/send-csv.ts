import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/**
 * Streams a large file in batches, at the speed of the client. Stops when the client disconnects. An error before the
 * first batch becomes a regular error response; a later one closes the connection, so that a partial file is not
 * mistaken for a complete one.
 */
export async function sendCsv<Row>(
  response: Response,
  filename: string,
  header: string,
  batches: AsyncIterable<Row[]>,
  show: (rows: Row[]) => string,
): Promise<void> {
  const iterator = batches[Symbol.asyncIterator]();
  const first = await iterator.next();
  response.set({
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${filename}"`,
  });
  const lines = async function* (): AsyncGenerator<string> {
    yield header;
    for (let batch = first; !batch.done; batch = await iterator.next()) yield show(batch.value);
  };
  try {
    await pipeline(Readable.from(lines()), response);
  } catch {
    response.destroy();
  }
}
