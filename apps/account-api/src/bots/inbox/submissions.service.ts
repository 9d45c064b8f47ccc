import { Injectable } from '@nestjs/common';
import { readBot } from '@heliograph/bot-catalog';
import { Conversation, type Submission } from '@heliograph/bot-conversations';
import { isId, toPage, type Page, type PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { Workspace } from '@heliograph/tenancy';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { csvLine } from '../../http/csv-line';
import { botKey } from '../about-bot';
import { ContactsService } from './contacts.service';
import type { SubmissionExportQuery } from './submissions.dto';

const EXPORT_BATCH = 500;
const MAX_ANSWER_COLUMNS = 500;
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

/** A submission with the public id of its bot. */
export type SubmissionRow = Omit<Submission, 'organizationId' | 'workspaceId'>;

/** A CSV export: its columns and its rows. */
export interface SubmissionExport {
  header: string;
  batches: AsyncIterable<SubmissionRow[]>;
  show(rows: SubmissionRow[]): string;
}

interface Filter {
  conditions: string[];
  values: unknown[];
}

/** Reads the form submissions of a workspace. */
@Injectable()
export class SubmissionsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pool: Pool,
    private readonly contacts: ContactsService,
  ) {}

  /** Newest first. Throws NOT_FOUND if a filter refers to an object of another workspace. */
  async list(workspace: Workspace, query: SubmissionExportQuery, page: Page): Promise<PageOf<SubmissionRow>> {
    const filter = await this.filterOf(workspace, query);
    const rows = await select(this.pool, filter, page.after, page.limit + 1);
    return toPage(rows, page, ({ id }) => id);
  }

  /** Throws NOT_FOUND. */
  async get({ id: workspaceId }: Workspace, id: string): Promise<SubmissionRow> {
    const filter = { conditions: ['s.workspace_id = $1', 's.id = $2'], values: [workspaceId, id] };
    const [row] = isId(id) ? await select(this.pool, filter, null, 1) : [];
    if (row) return row;
    throw new AppError('NOT_FOUND', 'Submission not found.');
  }

  /**
   * Exports the submissions that exist at the start, newest first, with one column per answered field. No connection
   * is held while the client reads. Throws the same errors as `list`.
   */
  async export(workspace: Workspace, query: SubmissionExportQuery): Promise<SubmissionExport> {
    const filter = await this.filterOf(workspace, query);
    const { pool } = this;
    const [newest] = await select(pool, filter, null, 1);
    if (newest) filter.conditions.push(`s.id <= $${filter.values.push(newest.id)}`);
    const keys = newest ? await answerKeys(pool, filter) : [];
    return {
      header: csvLine([...FIXED_COLUMNS, ...keys.map((key) => `answers.${key}`)]),
      batches: inBatches(pool, filter),
      show: (rows) => rows.map((row) => lineOf(row, keys)).join(''),
    };
  }

  private async filterOf(workspace: Workspace, query: SubmissionExportQuery): Promise<Filter> {
    const { botId, formId, conversationId, contactId, from, to } = query;
    const values: unknown[] = [workspace.id];
    const conditions = ['s.workspace_id = $1'];
    const where = (condition: string, value: unknown): void => {
      conditions.push(`${condition} $${values.push(value)}`);
    };
    if (botId !== undefined) {
      where('s.bot_id =', (await readBot(this.dataSource.manager, botKey(workspace, botId))).id);
    }
    if (contactId !== undefined) where('s.contact_id =', (await this.contacts.get(workspace, contactId)).id);
    if (conversationId !== undefined) {
      await this.refuseForeignConversation(workspace, conversationId);
      where('s.conversation_id =', conversationId);
    }
    if (formId !== undefined) where('s.form_id =', formId);
    if (from !== undefined) where('s.created_at >=', new Date(from));
    if (to !== undefined) where('s.created_at <', new Date(to));
    return { conditions, values };
  }

  private async refuseForeignConversation({ id: workspaceId }: Workspace, id: string): Promise<void> {
    if (await this.dataSource.getRepository(Conversation).existsBy({ id, workspaceId })) return;
    throw new AppError('NOT_FOUND', 'Conversation not found.');
  }
}

async function select(
  pool: Pool,
  { conditions, values }: Filter,
  before: string | null,
  limit: number,
): Promise<SubmissionRow[]> {
  const all = [...values];
  const older = before === null ? '' : ` AND s.id < $${all.push(before)}`;
  const { rows } = await pool.query<SubmissionRow>(
    `SELECT s.id, b.public_id AS "botId", s.form_id AS "formId", s.form_title AS "formTitle",
       s.conversation_id AS "conversationId", s.contact_id AS "contactId", s.status, s.answers, s.created_at AS "createdAt"
     FROM bots.submissions AS s JOIN bots.bots AS b ON b.id = s.bot_id
     WHERE ${conditions.join(' AND ')}${older} ORDER BY s.id DESC LIMIT $${all.push(limit)}`,
    all,
  );
  return rows;
}

async function* inBatches(pool: Pool, filter: Filter): AsyncGenerator<SubmissionRow[]> {
  for (let before: string | null = null; ;) {
    const rows: SubmissionRow[] = await select(pool, filter, before, EXPORT_BATCH);
    if (rows.length > 0) yield rows;
    before = rows.at(-1)?.id ?? null;
    if (rows.length < EXPORT_BATCH) return;
  }
}

/** Sorted by the first time a field was answered. */
async function answerKeys(pool: Pool, { conditions, values }: Filter): Promise<string[]> {
  const { rows } = await pool.query<{ key: string }>(
    `SELECT a.answer ->> 'key' AS key
     FROM bots.submissions AS s, jsonb_array_elements(s.answers) WITH ORDINALITY AS a(answer, place)
     WHERE ${conditions.join(' AND ')} GROUP BY 1 ORDER BY min(s.created_at), min(a.place), 1
     LIMIT ${MAX_ANSWER_COLUMNS}`,
    values,
  );
  return rows.map(({ key }) => key);
}

function lineOf(row: SubmissionRow, keys: readonly string[]): string {
  const answers = new Map(row.answers.map(({ key, value }) => [key, String(value)]));
  const fixed = FIXED_COLUMNS.map((column) => {
    const value = row[column];
    return value instanceof Date ? value.toISOString() : (value ?? '');
  });
  return csvLine([...fixed, ...keys.map((key) => answers.get(key) ?? '')]);
}
