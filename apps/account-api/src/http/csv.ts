import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** A CSV file: its header line and its rows in batches. */
export interface CsvFile<Row> {
  filename: string;
  header: string;
  batches: AsyncIterable<Row[]>;
  /** The line of a row, including its line break. */
  lineOf(row: Row): string;
}

/**
 * Streams a large file in batches, at the speed of the client. An error before the first batch is thrown; a later one
 * closes the connection, so that a partial file is not mistaken for a complete one.
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

/** A CSV line (RFC 4180), including the line break. No cell is interpreted as a formula by spreadsheets. */
export function csvLine(cells: readonly (string | number | Date | null)[]): string {
  return `${cells.map((cell) => quoted(harmless(textOf(cell)))).join(',')}\r\n`;
}

/** Timestamps are RFC 3339 in UTC. */
function textOf(cell: string | number | Date | null): string {
  return cell instanceof Date ? cell.toISOString() : String(cell ?? '');
}

/** Spreadsheets interpret cells with these prefixes as formulas; a leading apostrophe makes them text. */
function harmless(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
