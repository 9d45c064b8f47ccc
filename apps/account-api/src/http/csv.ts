import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
/** Spreadsheets set to an East Asian language read full-width operators as operators. */
const FORMULA = /^[\s"]*[=+\-@＝＋－＠]/;
/** What a spreadsheet reads as one cell even if it separates cells at semicolons or tabs and ignores quotes. */
const SMALLEST_CELLS = /[^;\t\r\n]+/g;

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

/**
 * A leading apostrophe makes a cell text. Which separator a spreadsheet uses depends on its locale, therefore each part
 * between separators is treated like a cell.
 */
export function harmless(text: string): string {
  const guarded = text.replace(SMALLEST_CELLS, (part) =>
    FORMULA.test(part) && !PLAIN_NUMBER.test(part) ? `'${part}` : part,
  );
  return /^[\t\r\n]/.test(guarded) ? `'${guarded}` : guarded;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
