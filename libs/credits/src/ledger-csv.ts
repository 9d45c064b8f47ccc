import type { LedgerEntryRow } from './entries';

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

/** The first line of the file, line end included. */
export const LEDGER_CSV_HEADER = line(COLUMNS);

/** Lines of a CSV file (RFC 4180), one for each entry, line ends included; times are RFC 3339 in UTC. */
export function ledgerCsv(rows: readonly LedgerEntryRow[]): string {
  return rows.map((row) => line(COLUMNS.map((column) => cell(row[column])))).join('');
}

function cell(value: string | number | Date): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

function line(cells: readonly string[]): string {
  return `${cells.map((text) => quoted(harmless(text))).join(',')}\r\n`;
}

const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** A spreadsheet takes a cell that begins like this for a formula, and runs it; with an apostrophe before it is text. */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
