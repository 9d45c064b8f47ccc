import type { EmailRecipientRecord, EmailRecord } from '@heliograph/contracts';
import { recordOf, type RecordRow } from '@heliograph/database';
import { EMAIL_SELECT } from '@heliograph/email-catalog';
import type { Pool } from 'pg';

export interface RecipientEvent {
  /** Type of the event without the prefix `email.` */
  type: string;
  at: string;
  recipient: string;
  /** Message-ID of the mail; null if no mail was sent. */
  emailMessageId: string | null;
  url: string | null;
  reason: string | null;
  /** Scope of an unsubscribe; undefined for other events. */
  scope: string | undefined;
}

type RecipientKind = EmailRecipientRecord['recipient']['kind'];

/** Events that are also a status of the recipient. Other events do not change the status. */
const STATUSES = new Set(['sent', 'delivered', 'bounced', 'failed']);
const NOTHING = { sent: 0, delivered: 0, opened: 0, clicked: 0, bounced: 0, complained: 0, unsubscribed: 0, failed: 0 };

/**
 * Reads the v1 record of an email with the event of one recipient, who alone is in `to`; `kind` tells in which field the
 * send has it. Returns null for a deleted email.
 */
export async function emailRecordWith(
  pool: Pool,
  organizationId: string,
  id: string,
  { type, at, recipient, emailMessageId, url, reason, scope }: RecipientEvent,
): Promise<EmailRecipientRecord | null> {
  const record = await emailRecord(pool, organizationId, id);
  if (!record) return null;
  const { rows: found } = await pool.query<{ status: string; kind: RecipientKind }>(
    `SELECT CASE WHEN r.state = 'sent' THEN coalesce(r.outcome, 'sent') ELSE r.state END AS status, r.kind
     FROM email.recipients AS r WHERE r.message_id = $1 AND lower(r.address) = lower($2) ORDER BY r.position LIMIT 1`,
    [id, recipient],
  );
  const status = STATUSES.has(type) ? type : (found[0]?.status ?? type);
  return {
    ...aboutOne(record, recipient),
    recipient: { to: recipient, kind: found[0]?.kind ?? 'to', status, message_id: emailMessageId },
    event: { type, at, url, reason, machine: reason === 'machine', ...(scope === undefined ? {} : { scope }) },
  };
}

/**
 * Reads the v1 records of an email for the recipients to whom it is sent, in the state when it was queued, by the position of
 * the recipient. Later changes are not included.
 */
export async function queuedEmailRecords(
  pool: Pool,
  organizationId: string,
  id: string,
  at: string,
): Promise<Map<number, EmailRecipientRecord>> {
  const record = await emailRecord(pool, organizationId, id);
  if (!record) return new Map();
  const { recipients, skipped } = record.counts;
  const queued: EmailRecord = { ...record, status: 'queued', counts: { ...NOTHING, recipients, skipped } };
  const { rows } = await pool.query<{ position: number; address: string; kind: RecipientKind }>(
    `SELECT r.position, r.address, r.kind FROM email.recipients AS r
     WHERE r.message_id = $1 AND r.state <> 'skipped' ORDER BY r.position`,
    [id],
  );
  return new Map(
    rows.map(({ position, address, kind }) => [
      position,
      {
        ...aboutOne(queued, address),
        recipient: { to: address, kind, status: 'queued', message_id: null },
        event: { type: 'queued', at, url: null, reason: null, machine: false },
      },
    ]),
  );
}

/** The record with one recipient, always in `to`: it does not show whether the send named the address in `cc` or `bcc`. */
function aboutOne(record: EmailRecord, recipient: string): EmailRecord {
  return { ...record, to: [recipient], cc: [], bcc: [] };
}

async function emailRecord(pool: Pool, organizationId: string, id: string): Promise<EmailRecord | null> {
  const { rows } = await pool.query<RecordRow<EmailRecord>>(
    `${EMAIL_SELECT} WHERE m.id = $1 AND m.organization_id = $2`,
    [id, organizationId],
  );
  return rows[0] ? recordOf<EmailRecord>(rows[0]) : null;
}
