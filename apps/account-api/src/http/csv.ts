import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { guardFormulas } from '@heliograph/service-kit';

/** A CSV file: its header line and its rows in batches. */
export interface CsvFile<Row> {
  filename: string;
  header: string;
  batches: AsyncIterable<Row[]>;
  /** Returns the line of a row, including its line break. */
  lineOf(row: Row): string;
}

/**
 * Streams a large file in batches, at the speed of the client. An error before the first batch is thrown. A later error
 * closes the connection, so that the client detects that the file is incomplete.
 */
export async function csvFile<Row>({ filename, header, batches, lineOf }: CsvFile<Row>): Promise<StreamableFile> {
  const iterator = batches[Symbol.asyncIterator]();
  const first = await iterator.next();
  const lines = async function* (): AsyncGenerator<string> {
    yield header;
    for (let batch = first; !batch.done; batch = await iterator.next()) yield batch.value.map(lineOf).join('');
  };
  const type = 'text/csv; charset=utf-8';
  const file = new StreamableFile(Readable.from(lines()), {
    type,
    disposition: `attachment; filename="${filename}"`,
  });
  return file.setErrorHandler((_error, response) => void response.destroy?.());
}

/** Returns a CSV line (RFC 4180), including the line break. Spreadsheets do not interpret any cell as a formula. */
export function csvLine(cells: readonly (string | number | Date | null)[]): string {
  return `${cells.map((cell) => quoted(guardFormulas(textOf(cell)))).join(',')}\r\n`;
}

/** Converts a cell to text. Timestamps are in RFC 3339 format in UTC. */
function textOf(cell: string | number | Date | null): string {
  return cell instanceof Date ? cell.toISOString() : String(cell ?? '');
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
