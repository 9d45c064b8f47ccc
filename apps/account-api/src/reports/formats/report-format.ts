import type { Writable } from 'node:stream';
import type { ReportFormat } from '../report';
import { CsvWriter } from './csv-writer';
import { NdjsonWriter } from './ndjson-writer';
import type { RowWriter } from './row-writer';
import { XlsxWriter } from './xlsx-writer';

export const CONTENT_TYPES: Readonly<Record<ReportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

export function writerOf(format: ReportFormat, columns: readonly string[], target: Writable): RowWriter {
  if (format === 'csv') return new CsvWriter(columns, target);
  return format === 'ndjson' ? new NdjsonWriter(columns, target) : new XlsxWriter(columns, target);
}
