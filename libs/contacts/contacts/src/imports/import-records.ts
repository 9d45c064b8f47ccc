import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { attributeField, IMPORT_FIELDS, type ImportOptions } from './import-options';

export type ImportFormat = 'csv' | 'json';

/** One row of a file: values by field, and the number of the row in the file. The header of a CSV file is row 1. */
export interface ImportRecord {
  row: number;
  values: Record<string, unknown>;
}

/** A file that cannot be parsed further. The message is for the caller. */
export class UnreadableFile extends Error {}

export const MAX_ROWS = 1_000_000;
const MAX_COLUMNS = 200;
const MAX_RECORD_CHARACTERS = 1_000_000;
const DELIMITERS = [',', ';', '\t'];
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

async function* csvRecords(text: AsyncGenerator<string>, options: ImportOptions): AsyncGenerator<ImportRecord> {
  const { value: first = '' } = (await text.next()) as { value?: string };
  const parser = parse({
    delimiter: delimiterOf(first),
    relaxColumnCount: true,
    skipEmptyLines: true,
    maxRecordSize: MAX_RECORD_CHARACTERS,
  });
  const source = Readable.from(startingWith(first, text));
  source.on('error', (error) => parser.destroy(error));
  let fields: (string | null)[] | null = null;
  let row = 0;
  try {
    for await (const record of source.pipe(parser) as AsyncIterable<string[]>) {
      row++;
      if (fields === null) {
        fields = fieldsOf(record, options);
        continue;
      }
      if (row > MAX_ROWS + 1) throw new UnreadableFile(`The file has more than ${MAX_ROWS} rows. Split it.`);
      const values: Record<string, unknown> = {};
      fields.forEach((field, index) => {
        const value = record[index]?.trim();
        if (field !== null && value) values[field] = value;
      });
      yield { row, values };
    }
  } catch (error) {
    const problem = PROBLEMS[(error as { code?: string }).code ?? ''];
    if (!problem) throw error;
    throw new UnreadableFile(`The file cannot be read after row ${row}: ${problem}.`);
  } finally {
    source.destroy();
    parser.destroy();
  }
  if (fields === null) throw new UnreadableFile('The file is empty. Its first row must name the columns.');
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
  const named = typeof attributes === 'object' && attributes !== null ? Object.entries(attributes) : [];
  return {
    ...Object.fromEntries(known),
    ...Object.fromEntries(named.map(([name, value]) => [attributeField(name), value as unknown] as const)),
  };
}

/**
 * The field of each column, from the mapping, else from the column name, else an attribute; null for an ignored column.
 */
function fieldsOf(header: readonly string[], { mapping }: ImportOptions): (string | null)[] {
  if (header.length > MAX_COLUMNS) throw new UnreadableFile(`The file has more than ${MAX_COLUMNS} columns.`);
  return header.map((column) => {
    const name = column.trim();
    const mapped = mapping && Object.hasOwn(mapping, name) ? mapping[name] : undefined;
    if (mapped !== undefined) return mapped;
    const field = name.toLowerCase().replaceAll(/[\s-]+/g, '_');
    if (Object.hasOwn(IMPORT_FIELDS, field)) return field;
    return mapping || name === '' || name.length > 64 ? null : attributeField(name);
  });
}

function delimiterOf(text: string): string {
  const [line = ''] = text.split(/\r\n|\r|\n/, 1);
  const unquoted = line.replaceAll(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => unquoted.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Decodes UTF-8, or UTF-16 by its byte order mark. Invalid bytes become U+FFFD, with which a row is invalid. */
async function* textOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield text;
  }
  const end = decoder?.decode() ?? '';
  if (end !== '') yield end;
}

function encodingOf(chunk: Buffer): string {
  if (chunk[0] === 0xff && chunk[1] === 0xfe) return 'utf-16le';
  return chunk[0] === 0xfe && chunk[1] === 0xff ? 'utf-16be' : 'utf-8';
}

async function* startingWith(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (first !== '') yield first;
  yield* rest;
}
