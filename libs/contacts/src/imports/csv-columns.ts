import { attributeField, IMPORT_FIELDS, type ImportOptions } from './import-options';

/** What a column of a CSV file contains. */
export type ColumnContent = { kind: 'field'; field: string } | { kind: 'attributes' } | { kind: 'ignored' };

export interface Column {
  content: ColumnContent;
  /** Whether the cells have apostrophes before formulas. */
  isGuarded: boolean;
}

const MAX_NAME_LENGTH = 64;
/** The columns of the contacts report that a file of another origin does not have together. */
const REPORT_COLUMNS = ['id', 'attributes', 'groups', 'consent'];
/** Columns of the contacts report that an import does not change. */
const UNCHANGED_COLUMNS: ReadonlySet<string> = new Set([
  'id',
  'groups',
  'consent',
  'source',
  'created_at',
  'updated_at',
]);

/**
 * The columns by the mapping, else by their names, else attributes. A contacts report is read as such: its column `attributes`
 * holds all attributes as JSON, and the columns that an import cannot change are ignored.
 */
export function columnsOf(header: readonly string[], options: ImportOptions): Column[] {
  const names = header.map(columnName);
  const isReport = REPORT_COLUMNS.every((column) => names.includes(column));
  return names.map((name) => ({ content: contentOf(name, options, isReport), isGuarded: isReport }));
}

/** Whether the name is one of the mapping or of a field. */
export function isKnownColumn(text: string, { mapping }: ImportOptions): boolean {
  const name = columnName(text);
  return (mapping !== undefined && Object.hasOwn(mapping, name)) || fieldNamed(name) !== null;
}

function contentOf(name: string, { mapping }: ImportOptions, isReport: boolean): ColumnContent {
  const field = mapped(name, mapping) ?? fieldNamed(name);
  if (field !== null) return { kind: 'field', field };
  if (mapping !== undefined || name === '' || name.length > MAX_NAME_LENGTH) return { kind: 'ignored' };
  if (isReport && name === 'attributes') return { kind: 'attributes' };
  if (isReport && UNCHANGED_COLUMNS.has(name)) return { kind: 'ignored' };
  return { kind: 'field', field: attributeField(name) };
}

function mapped(name: string, mapping: ImportOptions['mapping']): string | null {
  return mapping !== undefined && Object.hasOwn(mapping, name) ? (mapping[name] ?? null) : null;
}

function fieldNamed(name: string): string | null {
  const field = name.toLowerCase().replaceAll(/[\s-]+/g, '_');
  return Object.hasOwn(IMPORT_FIELDS, field) ? field : null;
}

/** Spreadsheets break long names into lines. */
function columnName(text: string): string {
  return text.trim().replaceAll(/\s*[\r\n]\s*/g, ' ');
}
