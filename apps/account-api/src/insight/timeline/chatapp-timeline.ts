import { readContent } from '@heliograph/chatapp-messages';
import { v1Timestamp } from '@heliograph/service-kit';
import type { Pool } from 'pg';
import { ACCEPTED_COLUMNS, acceptedEntries, KEY_JOIN, type AcceptedRow, type StoredTimeline } from './timeline-entry';

interface ChatappRow extends AcceptedRow {
  direction: 'outbound' | 'inbound';
  status: string;
  type: string;
  recipient: string;
  sender: string;
  upstream_id: string | null;
  category: string | null;
  template_name: string | null;
  error_code: number | null;
  error: string | null;
  is_free: boolean;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  failed_at: Date | null;
  payload: Record<string, unknown> | null;
  occurred_at: Date | null;
}

export async function chatappTimeline(
  pool: Pool,
  owner: [string, string, string | null],
): Promise<StoredTimeline | null> {
  const { rows } = await pool.query<ChatappRow>(
    `SELECT m.direction, m.status, m.type, m.recipient, m.sender, m.upstream_id, m.category, m.template_name, m.error_code,
       m.error, m.is_free, ${ACCEPTED_COLUMNS}, m.sent_at, m.delivered_at, m.read_at, m.failed_at,
       m.payload, m.occurred_at
     FROM chatapp.messages AS m ${KEY_JOIN}
     WHERE m.id = $1 AND m.organization_id = $2 AND ($3::uuid IS NULL OR m.workspace_id = $3)`,
    owner,
  );
  const [row] = rows;
  if (!row) return null;
  const upstream = { upstream_id: row.upstream_id };
  if (row.direction === 'inbound') {
    const summary = `A message of type ${row.type} was received from ${row.sender}.`;
    const details = {
      ...upstream,
      sent_at: v1Timestamp(row.occurred_at),
      ...readContent(row.type, row.payload),
    };
    return {
      status: row.status,
      references: [],
      entries: [
        {
          at: row.created_at,
          type: 'received',
          summary,
          details,
        },
      ],
    };
  }
  const [id] = owner;
  return {
    status: row.status,
    references: [`chatapp:${id}`, `chatapp:${id}:proven`],
    entries: [
      ...acceptedEntries('chatapp', row, `The message of type ${row.type} to ${row.recipient} was accepted.`, {
        category: row.category,
        template: row.template_name,
        free: row.is_free,
      }),
      { at: row.sent_at, type: 'sent', summary: 'The provider reported that the message was sent.', details: upstream },
      {
        at: row.delivered_at,
        type: 'delivered',
        summary: 'The provider reported that the message was delivered.',
        details: upstream,
      },
      {
        at: row.read_at,
        type: 'read',
        summary: 'The provider reported that the recipient has read the message.',
        details: upstream,
      },
      {
        at: row.failed_at,
        type: 'failed',
        summary: 'The provider refused the message or reported a failure.',
        details: { ...upstream, error: row.error, error_code: row.error_code },
      },
    ],
  };
}
