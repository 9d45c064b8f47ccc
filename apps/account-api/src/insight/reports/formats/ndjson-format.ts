import type { TextFormat } from './row-writer';

export const NDJSON: TextFormat = {
  header: () => '',
  lines: (columns, rows) =>
    rows
      .map((row) => `${JSON.stringify(Object.fromEntries(columns.map((column) => [column, row[column] ?? null])))}\n`)
      .join(''),
};
