import { EMAIL_SELECT, v1EmailRecord, type V1EmailRow } from '@heliograph/email-catalog';
import type { Pool } from 'pg';

export interface RecipientEvent {
  /** The event without `email.` */
  type: string;
  at: string;
  recipient: string;
  url: string | null;
  reason: string | null;
  /** What an unsubscribe stops; undefined for other events. */
  scope: string | undefined;
}

/** The v1 record of an email with the recipient and the event. Null for a deleted email. */
export async function emailRecordWith(
  pool: Pool,
  organizationId: string,
  id: string,
  { type, at, recipient, url, reason, scope }: RecipientEvent,
): Promise<object | null> {
  const { rows } = await pool.query<V1EmailRow>(`${EMAIL_SELECT} WHERE m.id = $1 AND m.organization_id = $2`, [
    id,
    organizationId,
  ]);
  const [row] = rows;
  if (!row) return null;
  const { rows: found } = await pool.query<{ status: string }>(
    `SELECT CASE WHEN r.state = 'sent' THEN coalesce(r.outcome, 'sent') ELSE r.state END AS status
     FROM email.recipients AS r WHERE r.message_id = $1 AND lower(r.address) = lower($2) ORDER BY r.position LIMIT 1`,
    [id, recipient],
  );
  return {
    ...v1EmailRecord(row),
    recipient: { to: recipient, status: type === 'sent' ? 'sent' : (found[0]?.status ?? type), message_id: null },
    event: { type, at, url, reason, machine: reason === 'machine', ...(scope === undefined ? {} : { scope }) },
  };
}
