import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/**
 * Sends a file that may be large: batch after batch, as fast as the caller reads. A caller who goes away ends it.
 * What fails before the first batch is an ordinary refusal; later the connection is cut, so that half a file is not
 * taken for a whole one.
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
