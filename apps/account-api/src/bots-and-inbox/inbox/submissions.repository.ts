import { Injectable } from '@nestjs/common';
import type { Submission } from '@heliograph/bot-conversations';
import { Pool } from 'pg';

const EXPORT_BATCH = 500;
const MAX_ANSWER_COLUMNS = 500;

/** A submission with the public id of its bot. */
export type SubmissionRow = Omit<Submission, 'organizationId' | 'workspaceId'>;

/** Conditions on submissions. `id` and `until` are ids of submissions. */
export interface SubmissionFilter {
  id?: string;
  /** Internal id of the bot, not its public id. */
  botId?: string;
  formId?: string;
  conversationId?: string;
  contactId?: string;
  from?: Date;
  to?: Date;
  /** The newest submission of the result. */
  until?: string;
}

const CONDITIONS: Readonly<Record<keyof SubmissionFilter, string>> = {
  id: 's.id =',
  botId: 's.bot_id =',
  formId: 's.form_id =',
  conversationId: 's.conversation_id =',
  contactId: 's.contact_id =',
  from: 's.created_at >=',
  to: 's.created_at <',
  until: 's.id <=',
};

/** Reads the form submissions of a workspace. */
@Injectable()
export class SubmissionsRepository {
  constructor(private readonly pool: Pool) {}

  /** Returns submissions sorted by creation time, newest first. `before` is the last id of the previous page. */
  async list(
    workspaceId: string,
    filter: SubmissionFilter,
    before: string | null,
    limit: number,
  ): Promise<SubmissionRow[]> {
    const { where, values } = conditionsOf(workspaceId, filter);
    const older = before === null ? '' : ` AND s.id < $${values.push(before)}`;
    const { rows } = await this.pool.query<SubmissionRow>(
      `SELECT s.id, b.public_id AS "botId", s.form_id AS "formId", s.form_title AS "formTitle",
         s.conversation_id AS "conversationId", s.contact_id AS "contactId", s.status, s.answers, s.created_at AS "createdAt"
       FROM bots.submissions AS s JOIN bots.bots AS b ON b.id = s.bot_id
       WHERE ${where}${older} ORDER BY s.id DESC LIMIT $${values.push(limit)}`,
      values,
    );
    return rows;
  }

  /** Yields all submissions in batches, newest first. No connection is held between two batches. */
  async *batches(workspaceId: string, filter: SubmissionFilter): AsyncGenerator<SubmissionRow[]> {
    for (let before: string | null = null; ;) {
      const rows: SubmissionRow[] = await this.list(workspaceId, filter, before, EXPORT_BATCH);
      if (rows.length > 0) yield rows;
      before = rows.at(-1)?.id ?? null;
      if (rows.length < EXPORT_BATCH) return;
    }
  }

  /** Returns the keys of the answered fields, sorted by the time of the first answer. */
  async answerKeys(workspaceId: string, filter: SubmissionFilter): Promise<string[]> {
    const { where, values } = conditionsOf(workspaceId, filter);
    const { rows } = await this.pool.query<{ key: string }>(
      `SELECT a.answer ->> 'key' AS key
       FROM bots.submissions AS s, jsonb_array_elements(s.answers) WITH ORDINALITY AS a(answer, place)
       WHERE ${where} GROUP BY 1 ORDER BY min(s.created_at), min(a.place), 1
       LIMIT ${MAX_ANSWER_COLUMNS}`,
      values,
    );
    return rows.map(({ key }) => key);
  }
}

function conditionsOf(workspaceId: string, filter: SubmissionFilter): { where: string; values: unknown[] } {
  const values: unknown[] = [workspaceId];
  const conditions = Object.entries(filter).map(
    ([name, value]) => `${CONDITIONS[name as keyof SubmissionFilter]} $${values.push(value)}`,
  );
  return { where: ['s.workspace_id = $1', ...conditions].join(' AND '), values };
}
