import { Injectable, type StreamableFile } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { readBot } from '@heliograph/bot-catalog';
import { Conversation } from '@heliograph/bot-conversations';
import { given, isId, toPage } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { Workspace } from '@heliograph/tenancy';
import { DataSource, Repository } from 'typeorm';
import { pageOf } from '@heliograph/service-kit';
import { botKey } from '../bots/about-bot';
import { csvFile, csvLine } from '../../http/csv';
import { toDate } from '../../http/timestamps';
import { ContactsService } from './contacts.service';
import { OneSubmission, SubmissionPage, type SubmissionExportQuery, type SubmissionQuery } from './submissions.dto';
import { SubmissionsRepository, type SubmissionFilter, type SubmissionRow } from './submissions.repository';

const FIXED_COLUMNS = [
  'id',
  'createdAt',
  'botId',
  'formId',
  'formTitle',
  'conversationId',
  'contactId',
  'status',
] as const;

/** Reads the form submissions of a workspace. */
@Injectable()
export class SubmissionsService {
  constructor(
    private readonly dataSource: DataSource,
    @InjectRepository(Conversation) private readonly conversations: Repository<Conversation>,
    private readonly submissions: SubmissionsRepository,
    private readonly contacts: ContactsService,
  ) {}

  /** Returns submissions, newest first. Throws NOT_FOUND if a filter refers to an object of another workspace. */
  async list(workspace: Workspace, query: SubmissionQuery): Promise<SubmissionPage> {
    const page = pageOf(query);
    const filter = await this.filterOf(workspace, query);
    const rows = await this.submissions.list(workspace.id, filter, page.after, page.limit + 1);
    return SubmissionPage.of(toPage(rows, page, ({ id }) => id));
  }

  /** Throws NOT_FOUND. */
  async get(workspace: Workspace, id: string): Promise<OneSubmission> {
    const [row] = isId(id) ? await this.submissions.list(workspace.id, { id }, null, 1) : [];
    if (row) return OneSubmission.of(row);
    throw new AppError('NOT_FOUND', 'Submission not found. List the submissions of the workspace to get valid ids.');
  }

  /**
   * Exports the submissions that exist at the start, newest first, with one column per answered field. Throws the same
   * errors as `list`.
   */
  async export(workspace: Workspace, query: SubmissionExportQuery): Promise<StreamableFile> {
    const filter = await this.filterOf(workspace, query);
    const [newest] = await this.submissions.list(workspace.id, filter, null, 1);
    if (newest) filter.until = newest.id;
    const keys = newest ? await this.submissions.answerKeys(workspace.id, filter) : [];
    return csvFile({
      filename: `submissions-${workspace.slug}.csv`,
      header: csvLine([...FIXED_COLUMNS, ...keys.map((key) => `answers.${key}`)]),
      batches: this.submissions.batches(workspace.id, filter),
      lineOf: (row) => lineOf(row, keys),
    });
  }

  private async filterOf(workspace: Workspace, query: SubmissionExportQuery): Promise<SubmissionFilter> {
    const { botId, formId, conversationId, contactId, from, to } = query;
    const { manager } = this.dataSource;
    const bot = botId === undefined ? undefined : await readBot(manager, botKey(workspace, botId));
    const contact = contactId === undefined ? undefined : await this.contacts.contact(workspace, contactId);
    if (conversationId !== undefined) await this.refuseForeignConversation(workspace, conversationId);
    return given({
      botId: bot?.id,
      contactId: contact?.id,
      conversationId,
      formId,
      from: toDate(from),
      to: toDate(to),
    });
  }

  private async refuseForeignConversation({ id: workspaceId }: Workspace, id: string): Promise<void> {
    if (await this.conversations.existsBy({ id, workspaceId })) return;
    throw new AppError(
      'NOT_FOUND',
      'Conversation not found. List the conversations of the workspace to get valid ids.',
    );
  }
}

function lineOf(row: SubmissionRow, keys: readonly string[]): string {
  const answers = new Map(row.answers.map(({ key, value }) => [key, value]));
  return csvLine([...FIXED_COLUMNS.map((column) => row[column]), ...keys.map((key) => answers.get(key) ?? null)]);
}
