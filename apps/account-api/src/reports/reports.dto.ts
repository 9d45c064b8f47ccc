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
  type ReportErrorCode,
  type ReportFormat,
  type ReportStatus,
  type ReportType,
} from './report';

@V1Request()
export class V1ReportRequest {
  @ApiProperty({ enum: REPORT_TYPES })
  @IsOneOf('type', REPORT_TYPES)
  type: ReportType;

  @ApiProperty({
    required: false,
    format: 'date-time',
    description: 'Start of the time range (inclusive). By default the range has no start',
  })
  @IsOptional()
  @IsInstant('from')
  from?: string | null;

  @ApiProperty({
    required: false,
    format: 'date-time',
    description: 'End of the time range (exclusive). The default is the current time',
  })
  @IsOptional()
  @IsInstant('until')
  until?: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    required: false,
    example: { status: 'failed' },
    description:
      'Filters of the rows. They are the same as the filters of the corresponding list. A report of the type `campaign` requires `campaign_id`',
  } as never)
  @IsOptional()
  @rule('isObject', 'filters must be an object.', isJsonObject)
  filters?: Record<string, unknown> | null;

  @ApiProperty({ enum: REPORT_FORMATS, default: 'csv', required: false })
  @IsOptional()
  @IsOneOf('format', REPORT_FORMATS)
  format?: ReportFormat | null;

  @ApiProperty({
    required: false,
    format: 'uuid',
    description: 'Restricts the report to this workspace. The default is the whole organization',
  })
  @IsOptional()
  @IsWorkspaceId()
  workspace_id?: string | null;
}

@V1Request()
export class V1ReportsQuery extends V1ListQuery {
  @ApiProperty({ required: false, format: 'uuid' })
  @IsOptional()
  @IsWorkspaceId()
  workspace_id?: string;
}

/** The signature of a download link. */
@V1Request()
export class V1ReportLinkQuery {
  @ApiProperty()
  @IsString()
  expires: string;
  @ApiProperty()
  @IsString()
  signature: string;
}

export class V1ReportError implements ReportError {
  @ApiProperty({
    enum: REPORT_ERROR_CODES,
    description: '`PERSON_ERASED` if the file was deleted because a person whom it can contain was erased',
  })
  code: ReportErrorCode;
  @ApiProperty()
  message: string;
}

export class V1Report {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ enum: REPORT_TYPES })
  type: ReportType;
  @ApiProperty({ enum: REPORT_STATUSES })
  status: ReportStatus;
  @ApiProperty({ enum: REPORT_FORMATS })
  format: ReportFormat;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  from: string | null;
  @ApiProperty({ format: 'date-time' })
  until: string;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } } as never)
  filters: Record<string, string>;
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  workspace_id: string | null;
  @ApiProperty({ type: 'integer', description: 'Number of rows written so far' })
  rows: number;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Size of the completed file in bytes' } as never)
  bytes: number | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Download link of a completed report; otherwise `null`. Every response contains a new link',
  })
  download_url: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time at which the download link expires, one hour after the response',
  })
  expires_at: string | null;
  @ApiProperty({ type: V1ReportError, nullable: true, description: 'Reason why the report failed' })
  error: V1ReportError | null;
  @ApiProperty({ format: 'date-time' })
  created_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  finished_at: string | null;

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
  @ApiProperty({ type: [V1Report] })
  data: V1Report[];
  @ApiProperty({ required: false, description: 'Cursor of the next page; absent on the last page' })
  next_cursor?: string;
}
