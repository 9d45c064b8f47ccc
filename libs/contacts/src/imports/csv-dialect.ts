import { parse } from 'csv-parse/sync';
import { isKnownColumn } from './csv-columns';
import type { ImportOptions } from './import-options';

export interface CsvDialect {
  delimiter: string;
  /** Position of the header in the text. */
  start: number;
}

/** Line breaks may be mixed in a file, for example if rows were appended on another system. */
export const RECORD_DELIMITERS = ['\r\n', '\n', '\r'];
const DELIMITERS = [',', ';', '\t'];
/** The line by which Excel learns the delimiter. */
const DELIMITER_LINE = /^"?sep=([^"\r\n])"?[,;\t]*(?:\r\n|\r|\n|$)/i;
const SAMPLE_CHARACTERS = 65_536;
const SAMPLE_ROWS = 20;

/**
 * Finds the delimiter of a CSV file from its first text: the one of a `sep=` line, else the one with which the header has the most
 * known columns, then the one with which the most rows have as many cells as the header, then the one with the most columns.
 */
export function csvDialectOf(text: string, options: ImportOptions): CsvDialect {
  const line = DELIMITER_LINE.exec(text);
  if (line) return { delimiter: line[1] ?? ',', start: line[0].length };
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const scores = DELIMITERS.map((delimiter) => scoreOf(sampleRows(sample, delimiter), options));
  const best = scores.reduce((most, score) => (isHigher(score, most) ? score : most));
  return { delimiter: DELIMITERS[scores.indexOf(best)] ?? ',', start: 0 };
}

function scoreOf(rows: readonly string[][], options: ImportOptions): number[] {
  const [header = [], ...others] = rows;
  const known = header.filter((name) => isKnownColumn(name, options)).length;
  const alike = others.filter(({ length }) => header.length > 1 && length === header.length).length;
  return [known, alike, header.length];
}

function isHigher(score: readonly number[], than: readonly number[]): boolean {
  const difference = score.map((value, index) => value - (than[index] ?? 0)).find((value) => value !== 0);
  return difference !== undefined && difference > 0;
}

/** The rows up to the first one that cannot be read. Empty rows are left out. */
function sampleRows(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  try {
    parse(text, {
      delimiter,
      recordDelimiter: RECORD_DELIMITERS,
      relaxColumnCount: true,
      skipRecordsWithEmptyValues: true,
      to: SAMPLE_ROWS,
      onRecord: (record: string[]) => {
        rows.push(record);
        return null;
      },
    });
  } catch {
    // The sample may end within a quoted cell. An error of the file itself is reported when the file is read.
  }
  return rows;
}
