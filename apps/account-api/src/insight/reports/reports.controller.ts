import type { Readable } from 'node:stream';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { Idempotent } from '@heliograph/idempotency';
import { AcceptsQuery, downloadOf, Public, type HttpResult, type V1List, V1Operation } from '@heliograph/service-kit';
import type { Write } from '@heliograph/tenancy';
import { RequireV1Permission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { PUBLIC_ERRORS } from '../../http/api-errors';
import { CurrentWrite } from '../../unit-of-work/current-write';
import { V1Api } from '../../developer/reference/v1-api';
import { CONTENT_TYPES } from './formats/report-format';
import { V1Report, V1ReportLinkQuery, V1ReportRequest, V1Reports, V1ReportsQuery } from './reports.dto';
import { ReportsService } from './reports.service';

@V1Api('v1: reports')
@Controller('api/v1/reports')
export class V1ReportsController {
  constructor(private readonly reports: ReportsService) {}

  @Post()
  @RequireV1Permission('reports:write', { boundKeys: true })
  @Idempotent()
  @V1Operation({
    id: 'v1CreateReport',
    summary: 'Request a report as a file',
    description:
      'A worker writes the file. At most three reports per organization run at the same time. Columns have the names of the fields. In csv and xlsx, lists and ' +
      'objects are JSON, and cells that a spreadsheet would evaluate as formulas begin with an apostrophe.',
    status: 202,
    response: V1Report,
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'LIMIT_REACHED', 'PAYLOAD_TOO_LARGE'],
  })
  create(
    @CurrentCaller() caller: Caller,
    @Body() request: V1ReportRequest,
    @CurrentWrite() write: Write,
  ): Promise<V1Report> {
    return this.reports.create(write, caller, request);
  }

  @Get()
  @RequireV1Permission('reports:read', { boundKeys: true })
  @V1Operation({
    id: 'v1ListReports',
    summary: 'List reports, newest first',

    description: 'Contains reports that are still in progress.',
    response: V1Reports,
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  })
  list(@CurrentCaller() caller: Caller, @Query() query: V1ReportsQuery): Promise<V1List<V1Report>> {
    return this.reports.list(caller, query);
  }

  @Get(':reportId')
  @RequireV1Permission('reports:read', { boundKeys: true })
  @V1Operation({
    id: 'v1GetReport',
    summary: 'Get a report and the download link of its file',

    description: 'The link is valid for one hour; another call gives a new one.',
    response: V1Report,
    errors: ['NOT_FOUND'],
    sample: { values: { reportId: { create: '/api/v1/reports' } } },
  })
  get(@CurrentCaller() caller: Caller, @Param('reportId') id: string): Promise<V1Report> {
    return this.reports.get(caller, id);
  }

  @Get(':reportId/file')
  @Public()
  @AcceptsQuery((parameters) => ({
    expires: only(parameters.get('expires')),
    signature: only(parameters.get('signature')),
  }))
  @ApiResponse({
    status: 200,
    content: Object.fromEntries(
      Object.values(CONTENT_TYPES).map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
    ),
  })
  @V1Operation({
    id: 'v1DownloadReport',
    summary: 'Download a report with its `download_url`',

    description: 'The signature of the link authorizes the download, so that a browser can open it.',
    errors: ['FORBIDDEN', 'NOT_FOUND', ...PUBLIC_ERRORS],
    sample: { url: { get: '/api/v1/reports', field: 'download_url' } },
  })
  async download(@Param('reportId') id: string, @Query() proof: V1ReportLinkQuery): Promise<HttpResult<Readable>> {
    const { report, content } = await this.reports.download(id, proof);
    return downloadOf({
      content,
      mediaType: CONTENT_TYPES[report.format],
      bytes: report.bytes,
      disposition: `attachment; filename="${report.type}.${report.format}"`,
      cacheControl: 'private, no-store',
    });
  }
}

function only(values: readonly string[] | undefined): string {
  return values?.length === 1 ? (values[0] ?? '') : '';
}
