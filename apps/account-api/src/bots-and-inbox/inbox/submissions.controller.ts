import { Controller, Get, Param, Query, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Workspace } from '@heliograph/tenancy';
import { RequireWorkspacePermission } from '../../access/access.decorators';
import { CurrentWorkspace } from '../../access/caller';
import { AccountOperation, ApiFile } from '../../http/envelope';
import { OneSubmission, SubmissionExportQuery, SubmissionPage, SubmissionQuery } from './submissions.dto';
import { SubmissionsService } from './submissions.service';

@ApiTags('Inbox')
@Controller('api/workspaces/:id')
export class SubmissionsController {
  constructor(private readonly submissions: SubmissionsService) {}

  @Get('submissions')
  @RequireWorkspacePermission('conversations:read')
  @AccountOperation({
    id: 'listSubmissions',
    summary: 'List form submissions, newest first',
    description: 'Filter by form, conversation or contact.',
    response: SubmissionPage,
  })
  list(@CurrentWorkspace() workspace: Workspace, @Query() query: SubmissionQuery): Promise<SubmissionPage> {
    return this.submissions.list(workspace, query);
  }

  @Get('submissions.csv')
  @RequireWorkspacePermission('conversations:read')
  @AccountOperation({
    id: 'exportSubmissions',
    summary: 'Export form submissions as a CSV file',
    description: 'The columns are the fields of the forms. The file is streamed.',
  })
  @ApiFile('text/csv', 'CSV file (RFC 4180) with a header line and one column for each answered field')
  export(@CurrentWorkspace() workspace: Workspace, @Query() query: SubmissionExportQuery): Promise<StreamableFile> {
    return this.submissions.export(workspace, query);
  }

  @Get('submissions/:submissionId')
  @RequireWorkspacePermission('conversations:read')
  @AccountOperation({
    id: 'getSubmission',
    summary: 'Get a form submission',
    description: 'Returns the answers of a visitor.',
    response: OneSubmission,
  })
  get(@CurrentWorkspace() workspace: Workspace, @Param('submissionId') id: string): Promise<OneSubmission> {
    return this.submissions.get(workspace, id);
  }
}
