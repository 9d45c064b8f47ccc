import type { SmsRecord } from '@heliograph/contracts';
import { MESSAGE_COLUMNS, v1SmsRecord, type SmsMessageRow } from '@heliograph/sms-catalog';
import type { Pool } from 'pg';

export type SmsEvent = 'queued' | 'sent' | 'delivered' | 'failed';

/** Reads the v1 record of a message in the state of the event, without later changes. Returns null for a deleted message. */
export async function smsRecordAt(
  pool: Pool,
  organizationId: string,
  id: string,
  event: SmsEvent,
): Promise<SmsRecord | null> {
  const { rows } = await pool.query<SmsMessageRow>(
    `SELECT ${MESSAGE_COLUMNS} FROM sms.messages WHERE id = $1 AND organization_id = $2`,
    [id, organizationId],
  );
  const [row] = rows;
  if (!row) return null;
  const record: SmsRecord = { ...v1SmsRecord(row), status: event };
  if (event === 'queued') return { ...record, error: null, sent_at: null, delivered_at: null };
  if (event === 'sent') return { ...record, error: null, delivered_at: null };
  return event === 'failed' ? { ...record, delivered_at: null } : record;
}
