import type { FileState } from './storage/report-storage';

export const REPORT_TYPES = [
  'sms_messages',
  'email_messages',
  'email_events',
  'chatapp_messages',
  'credit_transactions',
  'contacts',
  'campaign',
] as const;
export type ReportType =
  | 'sms_messages'
  | 'email_messages'
  | 'email_events'
  | 'chatapp_messages'
  | 'credit_transactions'
  | 'contacts'
  | 'campaign';

export const REPORT_FORMATS = ['csv', 'ndjson', 'xlsx'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

export const REPORT_STATUSES = ['queued', 'running', 'completed', 'failed'] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];

export const REPORT_ERROR_CODES = ['INTERNAL_ERROR', 'PERSON_ERASED'] as const;
export type ReportErrorCode = (typeof REPORT_ERROR_CODES)[number];

/** Position in the source of a report after which reading continues. */
export type RowPosition = Readonly<Record<string, string | null>>;

/** The durable part of an unfinished report, from which another process can continue. */
export interface ReportProgress {
  rows: number;
  position: RowPosition;
  file: FileState;
}

/** Reason why the report failed. */
export interface ReportError {
  code: ReportErrorCode;
  message: string;
}

export interface Report {
  id: string;
  organizationId: string;
  /** Null for all workspaces. */
  workspaceId: string | null;
  type: ReportType;
  format: ReportFormat;
  filters: Record<string, string>;
  /** Start of the time range; null if the range has no start. */
  since: Date | null;
  before: Date;
  status: ReportStatus;
  rows: number;
  bytes: number | null;
  error: ReportError | null;
  attempts: number;
  /** Null if no part is durable. */
  progress: ReportProgress | null;
  createdAt: Date;
  finishedAt: Date | null;
}

/** The key of the file in the storage. */
export function fileOf({ id, organizationId, format }: Pick<Report, 'id' | 'organizationId' | 'format'>): string {
  return `${organizationId}/${id}.${format}`;
}
