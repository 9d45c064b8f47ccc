import type { LedgerEntryRow } from '@heliograph/credits';
import { csvLine } from '../http/csv-line';

const COLUMNS: readonly (keyof LedgerEntryRow)[] = [
  'id',
  'createdAt',
  'workspaceId',
  'creditType',
  'kind',
  'amount',
  'balanceAfter',
  'reference',
];

/** Header line, including the line break. */
export const LEDGER_CSV_HEADER = csvLine(COLUMNS);

/** CSV lines (RFC 4180), one per entry, including line breaks; times are RFC 3339 in UTC. */
export function ledgerCsv(rows: readonly LedgerEntryRow[]): string {
  return rows.map((row) => csvLine(COLUMNS.map((column) => cell(row[column])))).join('');
}

function cell(value: string | number | Date): string {
  return value instanceof Date ? value.toISOString() : String(value);
}
