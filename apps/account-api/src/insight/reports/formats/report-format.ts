import type { ReportFormat } from '../report';
import { CSV } from './csv-format';
import { NDJSON } from './ndjson-format';
import type { TextFormat } from './row-writer';

export const CONTENT_TYPES: Readonly<Record<ReportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** The formats that another process can continue; a workbook is one compressed file and begins anew. */
export const TEXT_FORMATS: Readonly<Record<Exclude<ReportFormat, 'xlsx'>, TextFormat>> = { csv: CSV, ndjson: NDJSON };
