import type { SmsRecord } from '@heliograph/contracts';
import { recordOf, type RecordRow } from '@heliograph/database';
import { SMS_SELECT } from '@heliograph/sms-catalog';
import type { Pool } from 'pg';

export type SmsEvent = 'queued' | 'sent' | 'delivered' | 'failed';

/** Reads the v1 record of a message in the state of the event, without later changes. Returns null for a deleted message. */
export async function smsRecordAt(
  pool: Pool,
  organizationId: string,
  id: string,
  event: SmsEvent,
): Promise<SmsRecord | null> {
  const { rows } = await pool.query<RecordRow<SmsRecord>>(`${SMS_SELECT} WHERE m.id = $1 AND m.organization_id = $2`, [
    id,
    organizationId,
  ]);
  const [row] = rows;
  if (!row) return null;
  const record: SmsRecord = { ...recordOf<SmsRecord>(row), status: event };
  if (event === 'queued') return { ...record, error: null, sent_at: null, delivered_at: null };
  if (event === 'sent') return { ...record, error: null, delivered_at: null };
  return event === 'failed' ? { ...record, delivered_at: null } : record;
}
