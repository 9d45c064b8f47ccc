import type { Pool } from 'pg';

interface ConversationRow {
  id: string;
  bot_id: string;
  channel: string;
  status: string;
  created_at: Date;
}

interface SubmissionRow {
  id: string;
  form_id: string;
  form_title: string;
  answers: object[];
  created_at: Date;
}

/** A conversation of a bot; `status`: the one of the event. Null for a deleted conversation. */
export async function conversationRecord(
  pool: Pool,
  organizationId: string,
  id: string,
  status?: string,
): Promise<object | null> {
  const { rows } = await pool.query<ConversationRow>(
    `SELECT c.id, b.public_id AS bot_id, c.channel, c.status, c.created_at
     FROM bots.conversations AS c JOIN bots.bots AS b ON b.id = c.bot_id
     WHERE c.id = $1 AND c.organization_id = $2`,
    [id, organizationId],
  );
  const [row] = rows;
  return row ? { ...row, status: status ?? row.status, created_at: row.created_at.toISOString() } : null;
}

/** Null for a deleted submission. */
export async function submissionRecord(pool: Pool, organizationId: string, id: string): Promise<object | null> {
  const { rows } = await pool.query<SubmissionRow>(
    `SELECT id, form_id, form_title, answers, created_at FROM bots.submissions WHERE id = $1 AND organization_id = $2`,
    [id, organizationId],
  );
  const [row] = rows;
  return row ? { ...row, created_at: row.created_at.toISOString() } : null;
}
