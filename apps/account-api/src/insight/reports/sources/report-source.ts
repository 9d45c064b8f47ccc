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
  /** The columns in order. They have the names of the fields in the v1 API. */
  columns: readonly string[];
  /** The supported filters by name. */
  filters: Readonly<Record<string, ReportFilter>>;
  /** Names of the required filters. */
  required?: readonly string[];
  /** Newest first, in batches, after a position. No connection is held between batches. */
  batches(pool: Pool, report: Report, after: RowPosition | null): AsyncGenerator<ReportBatch>;
}

export const BATCH = 1_000;
