import type { Pool } from 'pg';
import type { ReportRow } from '../formats/row-writer';
import type { Report } from '../report';
import type { ReportFilter } from './filters';

/** The source of the rows of a report type. */
export interface ReportSource {
  /** The columns in order. They have the names of the fields in the v1 API. */
  columns: readonly string[];
  /** The supported filters by name. */
  filters: Readonly<Record<string, ReportFilter>>;
  /** Names of the required filters. */
  required?: readonly string[];
  /** Yields the rows in batches, newest first. No connection is held between batches. */
  batches(pool: Pool, report: Report): AsyncGenerator<ReportRow[]>;
}

export const BATCH = 1_000;
