import type { Integer, Timestamp, Uuid } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import {
  isJsonObject,
  IsInstant,
  IsOneOf,
  rule,
  V1ListQuery,
  V1Request,
  v1Timestamp,
  IsWorkspaceId,
} from '@heliograph/service-kit';
import { IsOptional, IsString } from 'class-validator';
import {
  REPORT_ERROR_CODES,
  REPORT_FORMATS,
  REPORT_STATUSES,
  REPORT_TYPES,
  type Report,
  type ReportError,
} from './report';

@V1Request()
export class V1ReportRequest {
  @IsOneOf('type', REPORT_TYPES)
  type: (typeof REPORT_TYPES)[number];

  /** Start of the time range (inclusive). By default the range has no start. */
  @IsOptional()
  @IsInstant('from')
  from?: Timestamp | null;

  /** End of the time range (exclusive). The default is the current time. */
  @IsOptional()
  @IsInstant('until')
  until?: Timestamp | null;

  /**
   * Filters of the rows. They are the same as the filters of the corresponding list. A report of the type `campaign` requires
   * `campaign_id`.
   * @example {"status":"failed"}
   */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  @IsOptional()
  @rule('isObject', 'filters must be an object.', isJsonObject)
  filters?: Record<string, unknown> | null;

  /** @default csv */
  @IsOptional()
  @IsOneOf('format', REPORT_FORMATS)
  format?: (typeof REPORT_FORMATS)[number] | null;

  /** Restricts the report to this workspace. The default is the whole organization. */
  @IsOptional()
  @IsWorkspaceId()
  workspace_id?: Uuid | null;
}

@V1Request()
export class V1ReportsQuery extends V1ListQuery {
  @IsOptional()
  @IsWorkspaceId()
  workspace_id?: Uuid;
}

/** The signature of a download link. */
@V1Request()
export class V1ReportLinkQuery {
  @IsString()
  expires: string;
  @IsString()
  signature: string;
}

export class V1ReportError implements ReportError {
  /** `PERSON_ERASED` if the file was deleted because a person whom it can contain was erased. */
  code: (typeof REPORT_ERROR_CODES)[number];
  message: string;
}

export class V1Report {
  id: Uuid;
  type: (typeof REPORT_TYPES)[number];
  status: (typeof REPORT_STATUSES)[number];
  format: (typeof REPORT_FORMATS)[number];
  from: Timestamp | null;
  until: Timestamp;
  filters: Record<string, string>;
  workspace_id: Uuid | null;
  /** Number of rows written so far. */
  rows: Integer;
  /** Size of the completed file in bytes. */
  bytes: Integer | null;
  /** Download link of a completed report; otherwise `null`. Every response contains a new link. */
  download_url: string | null;
  /** Time at which the download link expires, one hour after the response. */
  expires_at: Timestamp | null;
  /** Reason why the report failed. */
  error: V1ReportError | null;
  created_at: Timestamp;
  finished_at: Timestamp | null;

  static of(report: Report, link: { url: string; expiresAt: Date } | null): V1Report {
    const { id, type, status, format, filters, rows, bytes, error } = report;
    return {
      id,
      type,
      status,
      format,
      filters,
      rows,
      bytes,
      error,
      from: v1Timestamp(report.since),
      until: v1Timestamp(report.before),
      workspace_id: report.workspaceId,
      download_url: link?.url ?? null,
      expires_at: v1Timestamp(link?.expiresAt ?? null),
      created_at: v1Timestamp(report.createdAt),
      finished_at: v1Timestamp(report.finishedAt),
    };
  }
}

export class V1Reports {
  data: V1Report[];
  /** Cursor of the next page; absent on the last page. */
  next_cursor?: string;
}
