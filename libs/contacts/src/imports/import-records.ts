import { finished } from 'node:stream';
import { parse, type Parser } from 'csv-parse';
import { Turns, withoutFormulaGuards } from '@heliograph/service-kit';
import { columnsOf, type Column } from './csv-columns';
import { csvDialectOf, RECORD_DELIMITERS } from './csv-dialect';
import { attributeField, IMPORT_FIELDS, type ImportOptions } from './import-options';
import type { ImportRecord } from './import-row';
import { textOf } from './text-of';

export type ImportFormat = 'csv' | 'json';

/** A file that cannot be parsed further. The message is for the caller. */
export class UnreadableFile extends Error {}

export const MAX_ROWS = 1_000_000;
const MAX_COLUMNS = 200;
const MAX_RECORD_CHARACTERS = 1_000_000;
/** Characters that are parsed at once, which takes a few milliseconds. */
const PIECE_CHARACTERS = 16_384;
const PROBLEMS: Readonly<Record<string, string>> = {
  CSV_MAX_RECORD_SIZE: `a row has more than ${MAX_RECORD_CHARACTERS} characters, or a quote is not closed`,
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed at the end of the file',
  CSV_INVALID_CLOSING_QUOTE: 'a closing quote is followed by text',
  INVALID_OPENING_QUOTE: 'a quote is inside an unquoted value',
};

/** Reads the rows of a file. Throws UnreadableFile. */
export async function* importRecords(
  chunks: AsyncIterable<Buffer>,
  format: ImportFormat,
  options: ImportOptions,
): AsyncGenerator<ImportRecord> {
  if (format === 'json') yield* jsonRecords(textOf(chunks));
  else yield* csvRecords(textOf(chunks), options);
}

/** Skips empty rows, but counts them: the number of a row is the one that a spreadsheet shows. */
async function* csvRecords(text: AsyncGenerator<string>, options: ImportOptions): AsyncGenerator<ImportRecord> {
  let columns: Column[] | null = null;
  let count = 0;
  for await (const { row, cells } of csvRows(text, options)) {
    if (cells.every((cell) => cell.trim() === '')) continue;
    if (columns === null) {
      if (cells.length > MAX_COLUMNS) throw new UnreadableFile(`The file has more than ${MAX_COLUMNS} columns.`);
      columns = columnsOf(cells, options);
      continue;
    }
    if (++count > MAX_ROWS) throw new UnreadableFile(`The file has more than ${MAX_ROWS} rows. Split it.`);
    yield recordOf(row, cells, columns);
  }
  if (columns === null) throw new UnreadableFile('The file is empty. Its first row must name the columns.');
}

function recordOf(row: number, cells: readonly string[], columns: readonly Column[]): ImportRecord {
  const values: Record<string, unknown> = {};
  for (const [index, { content, isGuarded }] of columns.entries()) {
    const cell = cells[index]?.trim();
    if (!cell || content.kind === 'ignored') continue;
    const value = isGuarded ? withoutFormulaGuards(cell) : cell;
    if (content.kind === 'field') {
      values[content.field] = value;
      continue;
    }
    const attributes = attributesOf(value);
    if (!attributes) {
      return { row, values, error: { row, field: 'attributes', message: 'attributes must be a JSON object.' } };
    }
    Object.assign(values, attributes);
  }
  return { row, values };
}

function attributesOf(json: string): Record<string, unknown> | null {
  try {
    const attributes = JSON.parse(json) as unknown;
    return typeof attributes === 'object' && attributes !== null && !Array.isArray(attributes)
      ? namedAttributes(attributes)
      : null;
  } catch {
    return null;
  }
}

/** Yields every row before the one that cannot be read. */
async function* csvRows(
  text: AsyncGenerator<string>,
  options: ImportOptions,
): AsyncGenerator<{ row: number; cells: string[] }> {
  const { value: first = '' } = (await text.next()) as { value?: string };
  const { delimiter, start } = csvDialectOf(first, options);
  const read: { row: number; cells: string[] }[] = [];
  let row = 0;
  const parser = parse({
    delimiter,
    recordDelimiter: RECORD_DELIMITERS,
    relaxColumnCount: true,
    maxRecordSize: MAX_RECORD_CHARACTERS,
    onRecord: (cells: string[]) => {
      read.push({ row: ++row, cells });
      return null;
    },
  });
  // Each call of `write` returns the error. Without a listener, the event would end the process.
  parser.on('error', () => undefined);
  try {
    let problem: string | null = null;
    for await (const piece of piecesOf(first.slice(start), text)) {
      problem = await write(parser, piece);
      yield* read.splice(0);
      if (problem !== null) break;
    }
    if (problem !== null) throw new UnreadableFile(`The file cannot be read in row ${row + 1}: ${problem}.`);
  } finally {
    parser.destroy();
    await text.return(undefined);
  }
}

/** The text in pieces, with other work of the event loop between them; null is the end. */
async function* piecesOf(first: string, others: AsyncGenerator<string>): AsyncGenerator<string | null> {
  const turns = new Turns();
  let part: string | null = first;
  while (part !== null) {
    for (let at = 0; at < part.length; at += PIECE_CHARACTERS) {
      yield part.slice(at, at + PIECE_CHARACTERS);
      await turns.next();
    }
    const next: IteratorResult<string, unknown> = await others.next();
    part = next.done ? null : next.value;
  }
  yield null;
}

/** Parses a part of the text, or ends it. Returns the reason why the text cannot be parsed; null if it can. */
async function write(parser: Parser, part: string | null): Promise<string | null> {
  const error = await new Promise<unknown>((resolve) => {
    if (part === null) finished(parser.resume().end(), (failure) => resolve(failure ?? null));
    else parser.write(part, (failure) => resolve(failure ?? null));
  });
  if (error === null) return null;
  const problem = PROBLEMS[(error as { code?: string }).code ?? ''];
  if (problem === undefined) throw error;
  return problem;
}

/** Parses one contact as JSON per line, as the upload stores it. */
async function* jsonRecords(text: AsyncGenerator<string>): AsyncGenerator<ImportRecord> {
  let row = 0;
  let rest = '';
  for await (const part of text) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield { row: ++row, values: valuesOf(JSON.parse(line) as unknown) };
  }
}

function valuesOf(contact: unknown): Record<string, unknown> {
  if (typeof contact !== 'object' || contact === null || Array.isArray(contact)) return { '': contact };
  const { attributes, ...fields } = contact as { attributes?: unknown };
  const known = Object.entries(fields).filter(([name, value]) => Object.hasOwn(IMPORT_FIELDS, name) && value !== null);
  return {
    ...Object.fromEntries(known),
    ...(typeof attributes === 'object' && attributes !== null ? namedAttributes(attributes) : {}),
  };
}

function namedAttributes(attributes: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [attributeField(name), value as unknown]),
  );
}
