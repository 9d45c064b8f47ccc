import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Workspace } from '@heliograph/tenancy';
import type { Response } from 'express';
import { OnWorkspace } from '../../access/access.decorators';
import { InWorkspace } from '../../access/caller';
import { Answers, AnswersFile, CALLER_REFUSALS, RefusesWith } from '../../http/envelope';
import { nextCursor, pageOf, QueryOf } from '../../http/query';
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
@RefusesWith(...CALLER_REFUSALS, 'NOT_FOUND')
@Controller('api/workspaces/:id')
export class SubmissionsController {
  constructor(@Inject(SubmissionsService) private readonly submissions: SubmissionsService) {}

  @Get('submissions')
  @OnWorkspace('conversations:read')
  @ApiOperation({ operationId: 'listSubmissions', summary: 'The forms that visitors filled in, newest first' })
  @Answers(SubmissionPage)
  async list(
    @InWorkspace() workspace: Workspace,
    @QueryOf(SubmissionQuery) query: SubmissionQuery,
  ): Promise<SubmissionPage> {
    const { items, next } = await this.submissions.list(workspace, query, pageOf(query));
    return { submissions: items.map((row) => SubmissionRecord.of(row)), ...nextCursor(next) };
  }

  @Get('submissions.csv')
  @OnWorkspace('conversations:read')
  @ApiOperation({ operationId: 'exportSubmissions', summary: 'The same as a CSV file, all of it' })
  @AnswersFile('text/csv', 'RFC 4180, with a header line and a column for each field that was answered')
  async export(
    @InWorkspace() workspace: Workspace,
    @QueryOf(SubmissionExportQuery) query: SubmissionExportQuery,
    @Res() response: Response,
  ): Promise<void> {
    const { header, batches, show } = await this.submissions.export(workspace, query);
    await sendCsv(response, `submissions-${workspace.slug}.csv`, header, batches, show);
  }

  @Get('submissions/:submissionId')
  @OnWorkspace('conversations:read')
  @ApiOperation({ operationId: 'getSubmission', summary: 'One submission' })
  @Answers(OneSubmission)
  async one(@InWorkspace() workspace: Workspace, @Param('submissionId') id: string): Promise<OneSubmission> {
    return { submission: SubmissionRecord.of(await this.submissions.one(workspace, id)) };
  }
}
