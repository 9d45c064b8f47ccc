import type { ConversationRecord, SubmissionRecord } from '@heliograph/contracts';
import type { Pool } from 'pg';

type ConversationRow = Omit<ConversationRecord, 'created_at'> & { created_at: Date };
type SubmissionRow = Omit<SubmissionRecord, 'created_at'> & { created_at: Date };

/** Reads a conversation of a bot with the `status` of the event. Returns null for a deleted conversation. */
export async function conversationRecord(
  pool: Pool,
  organizationId: string,
  id: string,
  status?: string,
): Promise<ConversationRecord | null> {
  const { rows } = await pool.query<ConversationRow>(
    `SELECT c.id, b.public_id AS bot_id, c.channel, c.status, c.created_at
     FROM bots.conversations AS c JOIN bots.bots AS b ON b.id = c.bot_id
     WHERE c.id = $1 AND c.organization_id = $2`,
    [id, organizationId],
  );
  const [row] = rows;
  return row ? { ...row, status: status ?? row.status, created_at: row.created_at.toISOString() } : null;
}

/** Reads a form submission; null for a deleted submission. */
export async function submissionRecord(
  pool: Pool,
  organizationId: string,
  id: string,
): Promise<SubmissionRecord | null> {
  const { rows } = await pool.query<SubmissionRow>(
    `SELECT id, form_id, form_title, answers, created_at FROM bots.submissions WHERE id = $1 AND organization_id = $2`,
    [id, organizationId],
  );
  const [row] = rows;
  return row ? { ...row, created_at: row.created_at.toISOString() } : null;
}
