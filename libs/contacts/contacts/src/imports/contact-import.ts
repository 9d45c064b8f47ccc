import type { ImportOptions } from './import-options';
import type { ImportFormat } from './import-records';

export const IMPORT_STATUSES = ['queued', 'running', 'completed', 'failed'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** Numbers of rows of a file by result. */
export interface ImportCounts {
  created: number;
  updated: number;
  skipped: number;
  invalid: number;
}

export interface ContactImport extends ImportCounts {
  id: string;
  organizationId: string;
  status: ImportStatus;
  format: ImportFormat;
  options: ImportOptions;
  /** Number of processed rows. */
  total: number;
  /** Reason of the failure. */
  error: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}
