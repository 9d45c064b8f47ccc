import type { Pool } from 'pg';
import type { ReportRow } from '../formats/row-writer';
import type { Report, RowPosition } from '../report';
import type { ReportFilter } from './filters';

/** Rows, and the position after the last of them. */
export interface ReportBatch {
  rows: ReportRow[];
  position: RowPosition;
}

/** The rows of a type of report. */
export interface ReportSource {
  /** The names of the fields in the v1 API, in the order of the columns. */
  columns: readonly string[];
  /** The filters of the list of this type. */
  filters: Readonly<Record<string, ReportFilter>>;
  /** Filters without which there is no report. */
  required?: readonly string[];
  /** Newest first, in batches, after a position. No connection is held between batches. */
  batches(pool: Pool, report: Report, after: RowPosition | null): AsyncGenerator<ReportBatch>;
}

export const BATCH = 1_000;
