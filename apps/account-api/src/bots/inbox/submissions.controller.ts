import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Workspace } from '@heliograph/tenancy';
import type { Response } from 'express';
import { RequireWorkspacePermission } from '../../access/access.decorators';
import { CurrentWorkspace } from '../../access/caller';
import { ApiData, ApiFile, CALLER_ERRORS, ApiErrors } from '../../http/envelope';
import { nextCursor, pageOf, ValidatedQuery } from '../../http/query';
import { sendCsv } from '../../http/send-csv';
import {
  OneSubmission,
  SubmissionExportQuery,
  SubmissionPage,
  SubmissionQuery,
  SubmissionRecord,
} from './submissions.dto';
import { SubmissionsService } from './submissions.service';

@ApiTags('Inbox')
@ApiErrors(...CALLER_ERRORS, 'NOT_FOUND')
@Controller('api/workspaces/:id')
export class SubmissionsController {
  constructor(private readonly submissions: SubmissionsService) {}

  @Get('submissions')
  @RequireWorkspacePermission('conversations:read')
  @ApiOperation({ operationId: 'listSubmissions', summary: 'List form submissions, newest first' })
  @ApiData(SubmissionPage)
  async list(
    @CurrentWorkspace() workspace: Workspace,
    @ValidatedQuery(SubmissionQuery) query: SubmissionQuery,
  ): Promise<SubmissionPage> {
    const { items, next } = await this.submissions.list(workspace, query, pageOf(query));
    return { submissions: items.map((row) => SubmissionRecord.of(row)), ...nextCursor(next) };
  }

  @Get('submissions.csv')
  @RequireWorkspacePermission('conversations:read')
  @ApiOperation({ operationId: 'exportSubmissions', summary: 'Export form submissions as a CSV file' })
  @ApiFile('text/csv', 'RFC 4180, with a header line and one column per answered field')
  async export(
    @CurrentWorkspace() workspace: Workspace,
    @ValidatedQuery(SubmissionExportQuery) query: SubmissionExportQuery,
    @Res() response: Response,
  ): Promise<void> {
    const { header, batches, show } = await this.submissions.export(workspace, query);
    await sendCsv(response, `submissions-${workspace.slug}.csv`, header, batches, show);
  }

  @Get('submissions/:submissionId')
  @RequireWorkspacePermission('conversations:read')
  @ApiOperation({ operationId: 'getSubmission', summary: 'Get a form submission' })
  @ApiData(OneSubmission)
  async get(@CurrentWorkspace() workspace: Workspace, @Param('submissionId') id: string): Promise<OneSubmission> {
    return { submission: SubmissionRecord.of(await this.submissions.get(workspace, id)) };
  }
}
