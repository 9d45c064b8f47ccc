import type { Pool } from 'pg';
import type { ReportRow } from '../formats/row-writer';
import type { Report } from '../report';
import type { ReportFilter } from './filters';

/** The rows of a type of report. */
export interface ReportSource {
  /** The names of the fields in the v1 API, in the order of the columns. */
  columns: readonly string[];
  /** The filters of the list of this type. */
  filters: Readonly<Record<string, ReportFilter>>;
  /** Filters without which there is no report. */
  required?: readonly string[];
  /** Newest first, in batches. No connection is held between batches. */
  batches(pool: Pool, report: Report): AsyncGenerator<ReportRow[]>;
}

export const BATCH = 1_000;
