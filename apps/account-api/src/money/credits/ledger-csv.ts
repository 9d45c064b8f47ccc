import type { LedgerEntryRow } from '@heliograph/credits';
import { csvLine } from '../../http/csv';

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

/** CSV line (RFC 4180) of an entry, including the line break. */
export function ledgerCsvLine(row: LedgerEntryRow): string {
  return csvLine(COLUMNS.map((column) => row[column]));
}
