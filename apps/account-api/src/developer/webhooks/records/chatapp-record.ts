import { readContent } from '@heliograph/chatapp-messages';
import type { ChatappRecord } from '@heliograph/contracts';
import type { Pool } from 'pg';
import { v1Timestamp } from '@heliograph/service-kit';

interface MessageRow {
  id: string;
  direction: 'outbound' | 'inbound';
  recipient: string;
  sender: string;
  type: string;
  status: string;
  category: string | null;
  price: number | null;
  currency: string | null;
  template_name: string | null;
  error: string | null;
  error_code: number | null;
  payload: Record<string, unknown> | null;
  created_at: Date;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  failed_at: Date | null;
}

/** Reads the record of a chat-app message with the `status` of the event. Returns null for a deleted message. */
export async function chatappRecordAt(
  pool: Pool,
  organizationId: string,
  id: string,
  status: string,
): Promise<ChatappRecord | null> {
  const { rows } = await pool.query<MessageRow>(
    `SELECT id, direction, recipient, sender, type, status, category, price, currency, template_name, error, error_code,
       payload, created_at, sent_at, delivered_at, read_at, failed_at
     FROM chatapp.messages WHERE id = $1 AND organization_id = $2`,
    [id, organizationId],
  );
  const [row] = rows;
  if (!row) return null;
  return {
    message: {
      id: row.id,
      direction: row.direction,
      to: row.recipient,
      from: row.sender,
      type: row.type,
      status,
      category: row.category,
      price: row.price,
      currency: row.currency,
      ...readContent(row.type, row.payload),
      template_name: row.template_name,
      timestamps: {
        created_at: row.created_at.toISOString(),
        sent_at: v1Timestamp(row.sent_at),
        delivered_at: v1Timestamp(row.delivered_at),
        read_at: v1Timestamp(row.read_at),
        failed_at: v1Timestamp(row.failed_at),
      },
      error: row.error === null && row.error_code === null ? null : { code: row.error_code, message: row.error ?? '' },
    },
  };
}
