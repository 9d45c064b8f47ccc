import { csvLine } from '../../../http/csv';
import type { TextFormat } from './row-writer';
import { cellOf } from './written';

export const CSV: TextFormat = {
  header: csvLine,
  lines: (columns, rows) => rows.map((row) => csvLine(columns.map((column) => cellOf(row[column])))).join(''),
};
