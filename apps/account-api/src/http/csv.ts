import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
/** Includes full-width operators, which spreadsheets accept if they are set to an East Asian language. */
const FORMULA = /^[\s"]*[=+\-@＝＋－＠]/;
/** The smallest parts of a text that a spreadsheet can read as a cell, if it splits cells at semicolons or tabs and ignores quotes. */
const SMALLEST_CELLS = /[^;\t\r\n]+/g;

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
  return `${cells.map((cell) => quoted(harmless(textOf(cell)))).join(',')}\r\n`;
}

/** Converts a cell to text. Timestamps are in RFC 3339 format in UTC. */
function textOf(cell: string | number | Date | null): string {
  return cell instanceof Date ? cell.toISOString() : String(cell ?? '');
}

/**
 * Adds an apostrophe before formulas, which makes the cell a text. The separator that a spreadsheet uses depends on its
 * locale, so each part between possible separators is treated like a cell.
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
