import type { FileState } from './storage/report-storage';

export const REPORT_TYPES = [
  ...['sms_messages', 'email_messages', 'email_events', 'chatapp_messages'],
  ...['credit_transactions', 'contacts', 'campaign'],
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

/** Where the rows of a report are continued: a place of its source. */
export type RowPosition = Readonly<Record<string, string | null>>;

/** What is durable of an unfinished report, so that another process can continue it. */
export interface ReportProgress {
  rows: number;
  position: RowPosition;
  file: FileState;
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
  error: string | null;
  attempts: number;
  /** Null: nothing is durable. */
  progress: ReportProgress | null;
  createdAt: Date;
  finishedAt: Date | null;
}

/** The key of the file in the storage. */
export function fileOf({ id, organizationId, format }: Pick<Report, 'id' | 'organizationId' | 'format'>): string {
  return `${organizationId}/${id}.${format}`;
}
