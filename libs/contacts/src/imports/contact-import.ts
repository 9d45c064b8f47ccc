import type { ErrorCode } from '@heliograph/errors';
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

export interface ImportFailure {
  code: ErrorCode;
  message: string;
}

export interface ContactImport extends ImportCounts {
  id: string;
  organizationId: string;
  status: ImportStatus;
  format: ImportFormat;
  options: ImportOptions;
  /** Number of processed rows. */
  total: number;
  /** Number of rows that are read and wait for the end of the file. */
  waiting: number;
  /** Reason why the import failed as a whole. */
  error: ImportFailure | null;
  createdAt: Date;
  finishedAt: Date | null;
}
